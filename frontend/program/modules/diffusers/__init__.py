"""diffusers: the autoencoder, the UNets and transformers of Stable Diffusion and FLUX, with what
trainings need beside them; what else it has is not known."""

_HOMES = {
    "FlaxAutoencoderKL": "_autoencoder", "AutoencoderKL": "_torch_autoencoder",
    "UNet2DModel": "_torch_unet", "UNet2DConditionModel": "_torch_unet",
    "ControlNetModel": "_torch_unet", "DDPMScheduler": "_schedulers",
    "EulerDiscreteScheduler": "_schedulers", "EDMEulerScheduler": "_schedulers",
    "FlaxUNet2DConditionModel": "_flax", "FlaxControlNetModel": "_flax",
    "FlaxDDPMScheduler": "_flax",
    "FluxTransformer2DModel": "_torch_flux", "FluxPipeline": "_torch_flux",
    "FluxControlPipeline": "_torch_flux", "FluxKontextPipeline": "_torch_flux",
    "FluxFillPipeline": "_torch_flux", "FluxControlNetPipeline": "_torch_flux",
    "T2IAdapter": "_torch_t2i", "SD3ControlNetModel": "_torch_control",
    "FluxControlNetModel": "_torch_control", "SD3Transformer2DModel": "_torch_sd3",
    "FlowMatchEulerDiscreteScheduler": "_flow",
}


def __getattr__(name):
    import importlib
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    if name in _HOMES:
        return getattr(importlib.import_module("diffusers." + _HOMES[name]), name)
    return _tilewise.unknown("diffusers." + name)
