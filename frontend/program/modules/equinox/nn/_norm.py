"""Normalization, and the state of layers."""

import jax
import jax.numpy as jnp
from .._module import Module, field


class LayerNorm(Module):
    shape: tuple = field(static=True)
    eps: float = field(static=True)
    weight: object
    bias: object

    def __init__(self, shape, eps=1e-5, use_weight=True, use_bias=True, dtype=None, *,
                 elementwise_affine=None):
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.eps = eps
        self.weight = jnp.ones(self.shape) if use_weight else None
        self.bias = jnp.zeros(self.shape) if use_bias else None

    def __call__(self, x, state=None, *, key=None):
        axes = tuple(range(x.ndim - len(self.shape), x.ndim))
        y = jax.nn.standardize(x, axes, epsilon=self.eps)
        if self.weight is not None:
            y = y * self.weight
        if self.bias is not None:
            y = y + self.bias
        return y if state is None else (y, state)


class RMSNorm(Module):
    shape: tuple = field(static=True)
    eps: float = field(static=True)
    weight: object
    bias: object

    def __init__(self, shape, eps=1e-5, use_weight=True, use_bias=True, dtype=None):
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.eps = eps
        self.weight = jnp.ones(self.shape) if use_weight else None
        self.bias = jnp.zeros(self.shape) if use_bias else None

    def __call__(self, x, state=None, *, key=None):
        y = x * jax.lax.rsqrt(jnp.mean(x * x) + self.eps)
        y = y if self.weight is None else y * self.weight
        y = y if self.bias is None else y + self.bias
        return y if state is None else (y, state)


class GroupNorm(Module):
    groups: int = field(static=True)
    channels: object = field(static=True)
    eps: float = field(static=True)
    weight: object
    bias: object

    def __init__(self, groups, channels=None, eps=1e-5, channelwise_affine=True, dtype=None):
        self.groups, self.channels, self.eps = groups, channels, eps
        self.weight = jnp.ones((channels,)) if channelwise_affine else None
        self.bias = jnp.zeros((channels,)) if channelwise_affine else None

    def __call__(self, x, state=None, *, key=None):
        y = jnp.reshape(x, (self.groups, -1))
        y = jnp.reshape(jax.nn.standardize(y, 1, epsilon=self.eps), x.shape)
        if self.weight is not None:
            wide = (-1,) + (1,) * (x.ndim - 1)
            y = y * jnp.reshape(self.weight, wide) + jnp.reshape(self.bias, wide)
        return y if state is None else (y, state)


class StateIndex(Module):
    init: object

    def __init__(self, init):
        self.init = init


class State(Module):
    """State of layers: what it holds makes no difference to what is computed."""

    def __init__(self, model=None):
        pass

    def get(self, item):
        return item.init

    def set(self, item, value):
        return self

    def substate(self, pytree):
        return self

    def update(self, substate):
        return self


def make_with_state(make_model):
    return lambda *args, **kwargs: (make_model(*args, **kwargs), State())


def delete_init_state(model):
    return model


class BatchNorm(Module):
    weight: object
    bias: object
    axis_name: object = field(static=True)
    inference: bool
    input_size: int = field(static=True)
    eps: float = field(static=True)

    def __init__(self, input_size, axis_name=None, eps=1e-5, channelwise_affine=True,
                 momentum=0.99, inference=False, dtype=None, mode=None, **options):
        self.weight = jnp.ones((input_size,)) if channelwise_affine else None
        self.bias = jnp.zeros((input_size,)) if channelwise_affine else None
        self.axis_name, self.inference = axis_name, inference
        self.input_size, self.eps = input_size, eps

    def is_stateful(self):
        return True

    def __call__(self, x, state, *, key=None, inference=None):
        axes = tuple(range(1, x.ndim))
        mean = jax.lax.pmean(jnp.mean(x, axes) if axes else x, self.axis_name)
        wide = (-1,) + (1,) * (x.ndim - 1)
        d = x - jnp.reshape(mean, wide)
        var = jax.lax.pmean(jnp.mean(d * d, axes) if axes else d * d, self.axis_name)
        y = d * jax.lax.rsqrt(jnp.reshape(var, wide) + self.eps)
        if self.weight is not None:
            y = y * jnp.reshape(self.weight, wide) + jnp.reshape(self.bias, wide)
        return y, state


class SpectralNorm(Module):
    layer: object

    def __init__(self, layer, weight_name="weight", num_power_iterations=1, eps=1e-12,
                 inference=False, *, key=None):
        self.layer = layer

    def is_stateful(self):
        return True

    def __call__(self, x, state, *, key=None, inference=None):
        return self.layer(x), state
