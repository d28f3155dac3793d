"""Optimizers that apex runs in one kernel; their states are those of PyTorch's."""

from _timm.optim import Lamb
from torch.optim import SGD as FusedSGD, Adagrad as FusedAdagrad, AdamW


class FusedLAMB(Lamb):
    pass


class FusedAdam(AdamW):
    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-8,
                 adam_w_mode=True, weight_decay=0.0, **options):
        AdamW.__init__(self, params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("apex.optimizers." + name)
