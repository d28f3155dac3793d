"""Source of the sizes: the configuration that Stable Diffusion 1 and XL publish for their VAE
(block_out_channels 128, 256, 512, 512; two layers in a block; four latent channels)."""

import types

import flax.linen as nn
import jax
import jax.numpy as jnp


class _Residual(nn.Module):
    channels: int
    dtype: object = jnp.float32

    @nn.compact
    def __call__(self, x):
        h = x
        for _ in range(2):
            h = nn.swish(nn.GroupNorm(num_groups=32, epsilon=1e-6)(h))
            h = nn.Conv(self.channels, (3, 3), padding=1, dtype=self.dtype)(h)
        if x.shape[-1] != self.channels:
            x = nn.Conv(self.channels, (1, 1), dtype=self.dtype)(x)
        return x + h


class _Attention(nn.Module):
    dtype: object = jnp.float32

    @nn.compact
    def __call__(self, x):
        b, h, w, c = x.shape
        y = nn.GroupNorm(num_groups=32, epsilon=1e-6)(x).reshape((b, h * w, c))
        q, k, v = [nn.Dense(c, dtype=self.dtype)(y) for _ in range(3)]
        weights = nn.softmax(jnp.einsum("bic,bjc->bij", q, k) * c ** -0.5)
        y = nn.Dense(c, dtype=self.dtype)(jnp.einsum("bij,bjc->bic", weights, v))
        return x + y.reshape((b, h, w, c))


class _Middle(nn.Module):
    dtype: object = jnp.float32

    @nn.compact
    def __call__(self, x):
        c = x.shape[-1]
        x = _Residual(c, self.dtype)(x)
        x = _Attention(self.dtype)(x)
        return _Residual(c, self.dtype)(x)


class _Encoder(nn.Module):
    widths: tuple
    layers: int
    latent: int
    dtype: object = jnp.float32

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.widths[0], (3, 3), padding=1, dtype=self.dtype)(x)
        for i, width in enumerate(self.widths):
            for _ in range(self.layers):
                x = _Residual(width, self.dtype)(x)
            if i + 1 < len(self.widths):
                x = jnp.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)))
                x = nn.Conv(width, (3, 3), strides=(2, 2), padding="VALID", dtype=self.dtype)(x)
        x = nn.swish(nn.GroupNorm(num_groups=32, epsilon=1e-6)(_Middle(self.dtype)(x)))
        return nn.Conv(2 * self.latent, (3, 3), padding=1, dtype=self.dtype)(x)


class _Decoder(nn.Module):
    widths: tuple
    layers: int
    channels: int
    dtype: object = jnp.float32

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.widths[-1], (3, 3), padding=1, dtype=self.dtype)(x)
        x = _Middle(self.dtype)(x)
        for i, width in enumerate(self.widths[::-1]):
            for _ in range(self.layers + 1):
                x = _Residual(width, self.dtype)(x)
            if i + 1 < len(self.widths):
                x = jax.image.resize(x, (x.shape[0], 2 * x.shape[1], 2 * x.shape[2], width),
                                     "nearest")
                x = nn.Conv(width, (3, 3), padding=1, dtype=self.dtype)(x)
        x = nn.swish(nn.GroupNorm(num_groups=32, epsilon=1e-6)(x))
        return nn.Conv(self.channels, (3, 3), padding=1, dtype=self.dtype)(x)


class _Distribution:
    """The latents' mean and logarithm of their variance."""

    def __init__(self, moments):
        self.mean, self.logvar = jnp.split(moments, 2, axis=-1)

    def sample(self, key):
        return self.mean + jnp.exp(0.5 * self.logvar) * jax.random.normal(key, self.mean.shape)

    def mode(self):
        return self.mean


class FlaxAutoencoderKL(nn.Module):
    in_channels: int = 3
    out_channels: int = 3
    block_out_channels: tuple = (128, 256, 512, 512)
    layers_per_block: int = 2
    latent_channels: int = 4
    scaling_factor: float = 0.18215
    dtype: object = jnp.float32

    def setup(self):
        self.encoder = _Encoder(self.block_out_channels, self.layers_per_block,
                                self.latent_channels, self.dtype)
        self.decoder = _Decoder(self.block_out_channels, self.layers_per_block, self.out_channels,
                                self.dtype)
        self.quant_conv = nn.Conv(2 * self.latent_channels, (1, 1), dtype=self.dtype)
        self.post_quant_conv = nn.Conv(self.latent_channels, (1, 1), dtype=self.dtype)

    @property
    def config(self):
        return types.SimpleNamespace(
            scaling_factor=self.scaling_factor, block_out_channels=self.block_out_channels,
            latent_channels=self.latent_channels, in_channels=self.in_channels)

    @classmethod
    def from_pretrained(cls, name, *args, subfolder=None, dtype=jnp.float32, **options):
        module = cls(scaling_factor=0.13025 if "xl" in str(name) else 0.18215, dtype=dtype)
        return module, module.init(jax.random.PRNGKey(0), jnp.zeros((1, 3, 64, 64)))["params"]

    def encode(self, sample, deterministic=True, return_dict=True):
        """Images have their channels second, latents last, as in diffusers."""
        moments = self.quant_conv(self.encoder(jnp.transpose(sample, (0, 2, 3, 1))))
        made = _Distribution(moments)
        return types.SimpleNamespace(latent_dist=made) if return_dict else (made,)

    def decode(self, latents, deterministic=True, return_dict=True):
        if latents.shape[-1] != self.latent_channels:
            latents = jnp.transpose(latents, (0, 2, 3, 1))
        images = jnp.transpose(self.decoder(self.post_quant_conv(latents)), (0, 3, 1, 2))
        return types.SimpleNamespace(sample=images) if return_dict else (images,)

    def __call__(self, sample, sample_posterior=False, deterministic=True, return_dict=True):
        return self.decode(self.encode(sample).latent_dist.mode(), return_dict=return_dict)
