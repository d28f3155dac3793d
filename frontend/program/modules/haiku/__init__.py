"""haiku."""

from typing import Any

from jax import _tree
from jax._transforms import (grad, value_and_grad, vjp, jvp, custom_gradient, checkpoint as remat,
                             eval_shape, vmap as _vmap)
from jax.lax import cond, switch, fori_loop, while_loop, scan, map
from haiku._core import (
    Module, transform, transform_with_state, without_apply_rng, without_state, with_empty_state,
    multi_transform, multi_transform_with_state, Transformed, TransformedWithState,
    MultiTransformed, get_parameter, get_state, set_state, next_rng_key, next_rng_keys,
    maybe_next_rng_key, PRNGSequence, transparent, running_init, layer_stack, POLICIES, ACTIVE)
from haiku._layers import (
    Linear, Bias, ConvND, Conv1D, Conv2D, Conv3D, DepthwiseConv2D, ConvNDTranspose,
    Conv1DTranspose, Conv2DTranspose, Conv3DTranspose, BatchNorm, LayerNorm, RMSNorm, GroupNorm,
    InstanceNorm, Embed, EmbedLookupStyle, Sequential, Reshape, Flatten, MultiHeadAttention,
    ExponentialMovingAverage, EMAParamsTree, RNNCore, LSTM, LSTMState, GRU, VanillaRNN, DeepRNN,
    dynamic_unroll, static_unroll, dropout, max_pool, avg_pool, MaxPool, AvgPool, SpectralNorm,
    one_hot, multinomial)
from haiku import initializers
from haiku import pad
from haiku import nets
from haiku import data_structures
from haiku import experimental

Params = Any
State = Any
MutableParams = Any
MutableState = Any
GetParameterContext = Any
SupportsCall = Any
PRNGKey = Any
named_call = lambda f, **kw: f


class mixed_precision:
    @staticmethod
    def set_policy(cls, policy):
        POLICIES[cls] = policy

    @staticmethod
    def get_policy(cls):
        return POLICIES.get(cls)

    @staticmethod
    def clear_policy(cls):
        POLICIES.pop(cls, None)

    @staticmethod
    def current_policy():
        return ACTIVE[-1] if ACTIVE else None

    class push_policy:
        def __init__(self, cls, policy):
            self.cls, self.policy = cls, policy

        def __enter__(self):
            self.before = POLICIES.get(self.cls)
            POLICIES[self.cls] = self.policy

        def __exit__(self, *args):
            POLICIES[self.cls] = self.before
            return False


def vmap(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, *, split_rng=False):
    return _vmap(fun, in_axes, out_axes, axis_name, axis_size)


def to_module(f):
    class ToModuleWrapper(Module):
        def __call__(self, *args, **kw):
            return f(*args, **kw)
    return ToModuleWrapper


class name_scope:
    def __init__(self, name, **kw):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class _Ignore(name_scope):
    def __init__(self, *args, **kw):
        pass


custom_creator = custom_getter = custom_setter = intercept_methods = with_rng = _Ignore


def reserve_rng_keys(n):
    return None


def get_params():
    from haiku._core import frame
    return frame().params


def get_initial_state():
    return {}


def expand_apply(f, axis=0):
    from jax import numpy as jnp

    def run(*args):
        out = f(*_tree.map(lambda x: jnp.expand_dims(x, axis), args))
        return _tree.map(lambda x: jnp.squeeze(x, axis), out)
    return run


class BatchApply:
    def __init__(self, f, num_dims=2):
        self.f = f
        self.num_dims = num_dims

    def __call__(self, *args, **kw):
        n = self.num_dims
        lead = _tree.leaves(args)[0].shape[:n]
        flat = _tree.map(lambda x: x.reshape((-1,) + tuple(x.shape[n:])), args)
        out = self.f(*flat, **kw)
        return _tree.map(lambda y: y.reshape(tuple(lead) + tuple(y.shape[1:])), out)
