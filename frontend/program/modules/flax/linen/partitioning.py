"""flax.linen.partitioning."""

from flax.linen.spmd import (RULES, logical_axis_rules as axis_rules, get_logical_axis_rules as
                             get_axis_rules, set_logical_axis_rules as set_axis_rules,
                             logical_to_mesh_axes, logical_to_mesh, with_logical_constraint
                             as with_sharding_constraint, RulesFallback)
from flax.linen._lift import In as ScanIn, remat, scan as scan_with_axes, vmap as vmap_with_axes

ScanOut = ScanIn


def param_with_axes(name, init_fn, *init_args, axes=None, module=None, **kw):
    from flax.linen._module import STACK
    return (module or STACK[-1]).param(name, init_fn, *init_args)


def variable_with_axes(collection, name, init_fn, *init_args, axes=None, module=None, **kw):
    from flax.linen._module import STACK
    return (module or STACK[-1]).variable(collection, name, init_fn, *init_args)
