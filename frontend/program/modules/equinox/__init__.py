"""Equinox: models are trees of arrays; transformations skip what is no array."""

from ._filters import (
    apply_updates, combine, filter, filter_closure_convert, filter_custom_jvp, filter_custom_vjp,
    filter_eval_shape, filter_grad, filter_hessian, filter_jacfwd, filter_jacrev, filter_jit,
    filter_make_jaxpr, filter_pmap, filter_shard, filter_value_and_grad, filter_vmap, if_array,
    is_array, is_array_like, is_inexact_array, is_inexact_array_like, partition, tree_at,
    tree_check, tree_equal, tree_inference, tree_pformat, tree_pprint, tree_serialise_leaves,
    tree_deserialise_leaves, error_if, branched_error_if, filter_checkpoint)
from ._module import AbstractClassVar, AbstractVar, Module, Partial, field, module_update_wrapper
from ._module import static_field
from . import debug, internal, nn

__version__ = "0.11.10"
