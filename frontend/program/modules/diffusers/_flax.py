"""Models of diffusers in Flax: the network of PyTorch of the same name, called with parameters
from outside; the schedulers of noise, whose state stands beside them."""

import types

import _python
import _tilewise
import jax.numpy as jnp
from diffusers._schedulers import DDPMScheduler
from diffusers._torch_unet import ControlNetModel, UNet2DConditionModel
from jax import _core as _c
from jax import tree_util
from transformers._flax import FlaxPreTrainedModel, _to_torch


def _flax_path(path):
    """Flax has the number of a module in its name: down_blocks_0."""
    made = []
    for part in path:
        if part.isdigit() and made:
            made[-1] += "_" + part
        else:
            made.append(part)
    return tuple(made)


class _Parameters(dict):
    """What is put in the place of a part is copied into its weights: it stays another network's
    as well."""

    def __setitem__(self, key, value):
        if key not in self or tree_util.tree_structure(self[key]) != \
                tree_util.tree_structure(value):
            super().__setitem__(key, value)


class FlaxModel(FlaxPreTrainedModel):
    def __init__(self, dtype=None, gradient_checkpointing=False, **config):
        self._hold(self._network(**config), dtype)

    def _hold(self, network, dtype, own_parameters=True):
        super()._hold(network, dtype, own_parameters)
        self._paths = {_flax_path(path): p for path, p in self._paths.items()}
        rows = _python.signature(type(network).forward)
        self._names = [row[0] for row in rows if row[0] != "self"]

    @classmethod
    def from_pretrained(cls, name, *args, subfolder=None, dtype=None, **options):
        network = cls._network.from_pretrained(name, subfolder)
        return cls._loaded(network, {"dtype": dtype, "_do_init": False})

    @classmethod
    def from_config(cls, config, dtype=None, **options):
        return cls._loaded(cls._network.from_config(config), {"dtype": dtype})

    def init_weights(self, rng=None, input_shape=None, params=None):
        return _Parameters(super().init_weights())

    def __call__(self, *args, params=None, train=False, **kwargs):
        kwargs.update(zip(self._names, args))
        return self._run(self.params if params is None else params, train, kwargs)

    def apply(self, variables, *args, rngs=None, mutable=None, deterministic=None, **kwargs):
        return self(*args, params=variables.get("params", variables), **kwargs)

    def _cast(self, params, dtype):
        return tree_util.tree_map(lambda p: p.astype(dtype), params)

    def to_bf16(self, params, mask=None):
        return self._cast(params, jnp.bfloat16)

    def to_fp16(self, params, mask=None):
        return self._cast(params, jnp.float16)

    def to_fp32(self, params, mask=None):
        return self._cast(params, jnp.float32)

    def enable_xformers_memory_efficient_attention(self):
        pass


class FlaxUNet2DConditionModel(FlaxModel):
    _network = UNet2DConditionModel


class FlaxControlNetModel(FlaxModel):
    _network = ControlNetModel


class FlaxDDPMScheduler(DDPMScheduler):
    def __init__(self, *args, dtype=None, **options):
        super().__init__(*args, **options)

    @classmethod
    def from_pretrained(cls, name, subfolder=None, **options):
        made = super().from_pretrained(name, subfolder)
        return made if _tilewise.is_unknown(made) else (made, made.create_state())

    def create_state(self, common=None):
        made = types.SimpleNamespace(
            alphas=_c.new(self.alphas._h), betas=_c.new(self.betas._h),
            alphas_cumprod=_c.new(self.alphas_cumprod._h))
        return types.SimpleNamespace(common=made)

    def _with_torch(self, function, arrays):
        return _c.new(function(*[_to_torch(a) for a in arrays])._h)

    def add_noise(self, state, original_samples, noise, timesteps):
        return self._with_torch(super().add_noise, (original_samples, noise, timesteps))

    def get_velocity(self, state, sample, noise, timesteps):
        return self._with_torch(super().get_velocity, (sample, noise, timesteps))
