"""diffusers: the autoencoder of Stable Diffusion, which programs of Flax encode images with; what
else it has is not known."""

from diffusers._autoencoder import FlaxAutoencoderKL


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("diffusers." + name)
