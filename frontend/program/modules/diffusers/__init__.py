"""diffusers: the autoencoder and the UNets of Stable Diffusion, with what trainings need beside
them; what else it has is not known."""

_HOMES = {
    "FlaxAutoencoderKL": "_autoencoder", "AutoencoderKL": "_torch_autoencoder",
    "UNet2DModel": "_torch_unet", "UNet2DConditionModel": "_torch_unet",
    "ControlNetModel": "_torch_unet", "DDPMScheduler": "_schedulers",
    "FlaxUNet2DConditionModel": "_flax", "FlaxControlNetModel": "_flax",
    "FlaxDDPMScheduler": "_flax",
}


def __getattr__(name):
    import importlib
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    if name in _HOMES:
        return getattr(importlib.import_module("diffusers." + _HOMES[name]), name)
    return _tilewise.unknown("diffusers." + name)
