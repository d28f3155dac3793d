"""diffusers.training_utils."""

import torch

from diffusers._flow import compute_density_for_timestep_sampling, compute_loss_weighting_for_sd3


class EMAModel:
    """Averages of weights, which a step changes after the optimizer."""

    def __init__(self, parameters, decay=0.9999, min_decay=0.0, update_after_step=0,
                 use_ema_warmup=False, inv_gamma=1.0, power=2 / 3, foreach=False, model_cls=None,
                 model_config=None, **options):
        made = parameters.parameters() if hasattr(parameters, "parameters") else parameters
        self.shadow_params = [p.clone().detach() for p in made]
        self.decay = decay

    def step(self, parameters):
        made = parameters.parameters() if hasattr(parameters, "parameters") else parameters
        with torch.no_grad():
            for mean, p in zip(self.shadow_params, made):
                mean.sub_((1 - self.decay) * (mean - p))

    def _nothing(self, *args, **kwargs):
        pass

    copy_to = store = restore = to = save_pretrained = load_state_dict = pin_memory = _nothing

    def state_dict(self):
        return {"decay": self.decay, "shadow_params": self.shadow_params}


def compute_snr(noise_scheduler, timesteps):
    level = noise_scheduler.alphas_cumprod[timesteps].float()
    return level / (1.0 - level)


def cast_training_params(model, dtype=torch.float32):
    for one in model if isinstance(model, list) else [model]:
        for parameter in one.parameters():
            if parameter.requires_grad:
                parameter.data = parameter.to(dtype)


def free_memory():
    pass


def set_seed(seed):
    pass


def _collate_lora_metadata(modules):
    return {}


def _set_state_dict_into_text_encoder(lora_state_dict, prefix, text_encoder):
    pass


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("diffusers.training_utils." + name)
