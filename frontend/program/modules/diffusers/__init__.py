"""diffusers: the autoencoder of Stable Diffusion, which programs encode images with; what else it
has is not known."""


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    if name == "FlaxAutoencoderKL":
        from diffusers._autoencoder import FlaxAutoencoderKL
        return FlaxAutoencoderKL
    if name == "AutoencoderKL":
        from diffusers._torch_autoencoder import AutoencoderKL
        return AutoencoderKL
    return _tilewise.unknown("diffusers." + name)
