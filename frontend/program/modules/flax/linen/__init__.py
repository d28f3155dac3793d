"""flax.linen."""

import jax as _jax
from jax import numpy as _jnp
from jax.nn import (relu, relu6, sigmoid, silu, swish, gelu, softplus, soft_sign, log_sigmoid, elu,
                    selu, celu, leaky_relu, hard_tanh, hard_sigmoid, hard_silu, hard_swish, glu,
                    softmax, log_softmax, logsumexp, standardize, one_hot, tanh,
                    squareplus, mish, identity)
from flax.linen import initializers
from flax.linen._module import (
    Module, ModuleBase, compact, compact_name_scope, nowrap, Variable, Partitioned,
    LogicallyPartitioned, AxisMetadata, unbox, merge_param, apply, init, init_with_output,
    DenyList, share_scope, ScopeParamNotFoundError)
from flax.linen._lift import (
    scan, vmap, remat, checkpoint, jit, named_call, add_metadata_axis, map_variables, while_loop,
    cond, switch, grad, value_and_grad, vjp, jvp, custom_vjp, broadcast, In, Out)
from flax.linen._layers import (
    Dense, DenseGeneral, Einsum, Conv, ConvLocal, ConvTranspose, Embed, BatchNorm, LayerNorm,
    RMSNorm, GroupNorm, InstanceNorm, SpectralNorm, WeightNorm, Dropout, MultiHeadAttention,
    MultiHeadDotProductAttention, SelfAttention, dot_product_attention,
    dot_product_attention_weights, make_attention_mask, make_causal_mask, combine_masks, pool,
    avg_pool, max_pool, min_pool, Sequential, PReLU, Identity, RNNCellBase, LSTMCell,
    OptimizedLSTMCell, GRUCell, MGUCell, SimpleCell, ConvLSTMCell, RNN, Bidirectional)
from flax.linen.spmd import (
    with_partitioning, with_logical_partitioning, with_logical_constraint, get_partition_spec,
    get_sharding, logical_to_mesh, logical_to_mesh_axes, logical_to_mesh_sharding,
    logical_axis_rules, get_logical_axis_rules, set_logical_axis_rules, meta)
from flax.linen import spmd
from flax.linen import linear
from flax.linen import attention
from flax.linen import partitioning
from flax.linen import module
from flax.linen import dtypes
from flax.linen import normalization
from flax.linen import recurrent
from flax.linen import activation
from flax.linen import transforms

transforms_scan = scan


def tabulate(module, rngs, *args, **kw):
    return lambda *a, **k: ""


def summary(*args, **kw):
    return ""


def disable_named_call():
    return None


def enable_named_call():
    return None


class override_named_call:
    def __init__(self, on=True):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


def intercept_methods(f):
    return override_named_call()
