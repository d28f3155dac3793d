"""flax.nnx."""

from jax.nn import (relu, relu6, sigmoid, silu, swish, gelu, softplus, soft_sign, log_sigmoid, elu,
                    selu, celu, leaky_relu, hard_tanh, hard_sigmoid, hard_silu, hard_swish, glu,
                    softmax, log_softmax, logsumexp, standardize, one_hot, tanh, identity)
from flax.linen._layers import (avg_pool, max_pool, min_pool, pool, dot_product_attention,
                                make_attention_mask, make_causal_mask, combine_masks)
from flax.linen.spmd import (with_partitioning as _with_partitioning, get_partition_spec as
                             _linen_spec)
from flax.linen import initializers
from flax.nnx._graph import (
    Variable, Param, BatchStat, Cache, Intermediate, Perturbation, RngState, RngKey, RngCount,
    LoRAParam, OptState, OptVariable, VariableState, VariableMetadata, Rngs, RngStream, Object,
    Module, Pytree, iter_graph, Not, Any, All, OfType, PathContains, Everything, Nothing, State,
    state, filter_state, split_state, merge_state, GraphDef, split, merge, clone, update, pop,
    graphdef, find_duplicates, capture, with_vars, display, DiffState, StateAxes, Carry,
    value_and_grad, grad, jit,
    pmap, shard_map, remat, checkpoint, cached_partial, split_rngs, fork_rngs, restore_rngs, vmap,
    scan, cond, while_loop, fori_loop, switch, eval_shape, custom_vjp, variables_of, flat_of,
    from_flat)
from flax.nnx._layers import (
    Linear, LinearGeneral, Einsum, Conv, ConvTranspose, Embed, BatchNorm, LayerNorm, RMSNorm,
    GroupNorm, Dropout, MultiHeadAttention, Sequential, List, Dict, LSTMCell, OptimizedLSTMCell,
    GRUCell, SimpleCell, RNN, LoRA, LoRALinear, Optimizer, ModelAndOptimizer, TrainState)
from flax.nnx import metrics
from flax.nnx.metrics import Metric, MultiMetric

A = object
PARTITION_NAME = "partition_name"
GraphState = State


def with_metadata(init, **metadata):
    """An initializer whose values carry metadata, which the variable that takes them has."""
    def make(*args, **kw):
        return VariableMetadata(init(*args, **kw), metadata)
    return make


def with_partitioning(init, sharding, mesh=None, **kw):
    return with_metadata(init, out_sharding=sharding)


def with_sharding_constraint(x, *args, **kw):
    return x


def get_partition_spec(s):
    from jax import _tree
    from jax.sharding import PartitionSpec

    def spec(v):
        names = v.get_metadata("out_sharding")
        return v.replace(PartitionSpec(*names) if names else PartitionSpec())
    return _tree.map(spec, s, is_leaf=lambda v: isinstance(v, Variable))


def get_named_sharding(s, mesh):
    from jax import _tree
    from jax.sharding import NamedSharding
    return _tree.map(lambda v: v.replace(NamedSharding(mesh, v.raw)), get_partition_spec(s),
                     is_leaf=lambda v: isinstance(v, Variable))


def to_pure_dict(s):
    return {k: to_pure_dict(v) if isinstance(v, dict) else getattr(v, "raw", v)
            for k, v in s.items()}


def replace_by_pure_dict(s, d):
    for k, v in d.items():
        if isinstance(v, dict):
            replace_by_pure_dict(s[k], v)
        else:
            s[k] = s[k].replace(v)


def to_flat_state(s):
    return flat_of(s)


def from_flat_state(pairs):
    return from_flat(list(pairs.items()) if isinstance(pairs, dict) else pairs)


def variables(node, *filters):
    return state(node, *filters)


def data(x):
    return x


def static(x):
    return x


def tabulate(*args, **kw):
    return ""


def var_defaults(**kw):
    return None


def use_eager_sharding(*args):
    return None


def reseed(*args, **kw):
    return None


def iter_modules(node):
    return node.iter_modules()


def iter_children(node):
    return node.iter_children()


def map_state(f, s):
    return from_flat([(p, f(p, v)) for p, v in flat_of(s)])


def view(node, **kw):
    m = clone(node)
    m.set_attributes(**kw)
    return m


def train_mode(node):
    node.train()
    return node


def eval_mode(node):
    node.eval()
    return node


class training:
    Optimizer = Optimizer


class bridge:
    @staticmethod
    def to_linen(cls, *args, **kw):
        import _tilewise
        return _tilewise.unknown("nnx modules within linen")

    @staticmethod
    def ToNNX(module, rngs=None):
        import _tilewise
        return _tilewise.unknown("linen modules within nnx")
