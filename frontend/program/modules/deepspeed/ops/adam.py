from torch.optim import AdamW as _AdamW


def _kind(name):
    class Adam(_AdamW):
        def __init__(self, model_params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999),
                     eps=1e-8, weight_decay=0.0, **options):
            _AdamW.__init__(self, model_params, lr=lr, betas=betas, eps=eps,
                            weight_decay=weight_decay)
    return Adam


FusedAdam, DeepSpeedCPUAdam = _kind("FusedAdam"), _kind("DeepSpeedCPUAdam")
