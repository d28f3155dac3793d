"""The autoencoder of _autoencoder.py in PyTorch, where channels come second."""

import types

import _tilewise
import torch
from torch import nn

from diffusers._config import Configured
from diffusers._torch_parts import Attention, Down, Residual, Up


def _middle(channels):
    return nn.Sequential(Residual(channels, channels), Attention(channels),
                         Residual(channels, channels))


def _encoder(widths, layers, channels, latent):
    parts, last = [nn.Conv2d(channels, widths[0], 3, padding=1)], widths[0]
    for i, width in enumerate(widths):
        for _ in range(layers):
            parts.append(Residual(last, width))
            last = width
        if i + 1 < len(widths):
            parts.append(Down(width))
    return nn.Sequential(*parts, _middle(last), nn.GroupNorm(32, last, eps=1e-6), nn.SiLU(),
                         nn.Conv2d(last, 2 * latent, 3, padding=1))


def _decoder(widths, layers, channels, latent):
    last = widths[-1]
    parts = [nn.Conv2d(latent, last, 3, padding=1), _middle(last)]
    for i, width in enumerate(widths[::-1]):
        for _ in range(layers + 1):
            parts.append(Residual(last, width))
            last = width
        if i + 1 < len(widths):
            parts.append(Up(width))
    return nn.Sequential(*parts, nn.GroupNorm(32, last, eps=1e-6), nn.SiLU(),
                         nn.Conv2d(last, channels, 3, padding=1))


class _Distribution:
    def __init__(self, moments):
        self.parameters = moments
        self.mean, logvar = torch.chunk(moments, 2, dim=1)
        self.logvar = torch.clamp(logvar, -30.0, 20.0)
        self.std, self.var = torch.exp(0.5 * self.logvar), torch.exp(self.logvar)

    def sample(self, generator=None):
        return self.mean + self.std * torch.randn_like(self.mean)

    def mode(self):
        return self.mean

    def kl(self):
        return 0.5 * torch.sum(self.mean ** 2 + self.var - 1.0 - self.logvar, dim=[1, 2, 3])


class AutoencoderKL(Configured, nn.Module):
    # Of what a name does not tell, Stable Diffusion's stands in.
    published = (
        (("stable-diffusion-3-", "stable-diffusion-3."), dict(
            latent_channels=16, scaling_factor=1.5305, shift_factor=0.0609, use_quant_conv=False,
            use_post_quant_conv=False)),
        (("FLUX.1-",), dict(
            latent_channels=16, scaling_factor=0.3611, shift_factor=0.1159, use_quant_conv=False,
            use_post_quant_conv=False)),
        (("stable-diffusion-xl-", "sdxl-vae", "sdxl-"), {"scaling_factor": 0.13025}),
        (("stable-diffusion-", "sd-vae-", "sd-turbo"), {}))

    def __init__(self, in_channels=3, out_channels=3, down_block_types=(), up_block_types=(),
                 block_out_channels=(128, 256, 512, 512), layers_per_block=2, act_fn="silu",
                 latent_channels=4, norm_num_groups=32, sample_size=512, scaling_factor=0.18215,
                 shift_factor=None, use_quant_conv=True, use_post_quant_conv=True, **options):
        super().__init__()
        self.keep_config(locals())
        self.encoder = _encoder(block_out_channels, layers_per_block, in_channels, latent_channels)
        self.decoder = _decoder(block_out_channels, layers_per_block, out_channels, latent_channels)
        self.quant_conv = nn.Conv2d(2 * latent_channels, 2 * latent_channels, 1) \
            if use_quant_conv else nn.Identity()
        self.post_quant_conv = nn.Conv2d(latent_channels, latent_channels, 1) \
            if use_post_quant_conv else nn.Identity()

    @classmethod
    def load_config(cls, name, subfolder=None, **options):
        config = super().load_config(name, subfolder, **options)
        if isinstance(config, dict) or _tilewise.is_unknown(name):
            return config if isinstance(config, dict) else {}
        _tilewise.note("the sizes of the autoencoder of " + str(name) + " are not known; those of "
                       "Stable Diffusion stand in")
        return {}

    def enable_slicing(self):
        pass

    disable_slicing = enable_tiling = disable_tiling = enable_slicing

    def encode(self, x, return_dict=True):
        made = _Distribution(self.quant_conv(self.encoder(x)))
        return types.SimpleNamespace(latent_dist=made) if return_dict else (made,)

    def decode(self, z, return_dict=True, generator=None):
        images = self.decoder(self.post_quant_conv(z))
        return types.SimpleNamespace(sample=images) if return_dict else (images,)

    def forward(self, sample, sample_posterior=False, return_dict=True, generator=None):
        latents = self.encode(sample).latent_dist
        return self.decode(latents.sample() if sample_posterior else latents.mode(), return_dict)
