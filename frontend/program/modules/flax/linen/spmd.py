"""Names of dims and the mesh axes that they are laid on."""

import _tilewise as _t
from jax import _tree
from jax.sharding import NamedSharding, PartitionSpec, note_sharding
from flax.linen._module import (AxisMetadata, Partitioned, LogicallyPartitioned, unbox)

RULES = [()]


class RulesFallback:
    AXIS_IS_UNSHARDED = "axis_is_unsharded"
    RAISE_ERROR = "raise_error"
    NO_CONSTRAINT = "no_constraint"


class meta:
    AxisMetadata = AxisMetadata
    Partitioned = Partitioned
    PARTITION_NAME = "partition_name"
    unbox = staticmethod(unbox)

    @staticmethod
    def get_partition_spec(tree):
        return get_partition_spec(tree)

    @staticmethod
    def replace_boxed(tree, updates):
        return _tree.map(lambda b, u: b.replace_boxed(u) if isinstance(b, AxisMetadata) else u,
                         tree, updates, is_leaf=_is_box)

    @staticmethod
    def add_axis(tree, index, params):
        return _tree.map(lambda b: b.add_axis(index, params) if isinstance(b, AxisMetadata) else b,
                         tree, is_leaf=_is_box)


def _is_box(x):
    return isinstance(x, AxisMetadata)


def with_partitioning(fn, names, mesh=None):
    def init(*args, **kw):
        return Partitioned(fn(*args, **kw), names, mesh)
    return init


def with_logical_partitioning(fn, names, mesh=None, rules=None):
    def init(*args, **kw):
        return LogicallyPartitioned(fn(*args, **kw), names, mesh, rules)
    return init


def set_logical_axis_rules(rules):
    RULES[-1] = tuple(rules)


def get_logical_axis_rules():
    return RULES[-1]


class logical_axis_rules:
    def __init__(self, rules):
        self.rules = rules

    def __enter__(self):
        RULES.append(tuple(self.rules))
        return self

    def __exit__(self, *args):
        RULES.pop()
        return False


def logical_to_mesh_axes(array_dim_names, rules=None):
    if array_dim_names is None:
        return None
    rules = RULES[-1] if rules is None else rules
    taken = set()
    out = []
    for name in array_dim_names:
        found = None
        if name is not None:
            for key, axis in rules:
                if key != name or axis is None:
                    if key == name:
                        break
                    continue
                names = axis if isinstance(axis, (tuple, list)) else (axis,)
                if not any(n in taken for n in names):
                    found = tuple(axis) if isinstance(axis, list) else axis
                    taken.update(names)
                    break
        out.append(found)
    return PartitionSpec(*out)


def _is_spec(x):
    return isinstance(x, PartitionSpec) or x is None


def logical_to_mesh(tree, rules=None):
    return _tree.map(lambda s: logical_to_mesh_axes(s, rules) if s is not None else None, tree,
                     is_leaf=_is_spec)


def logical_to_mesh_sharding(tree, mesh, rules=None):
    return _tree.map(lambda s: NamedSharding(mesh, s), logical_to_mesh(tree, rules),
                     is_leaf=_is_spec)


def with_logical_constraint(x, logical_axis_resources, rules=None, mesh=None, fallback=None):
    if not RULES[-1] and not rules or logical_axis_resources is None:
        return x
    spec = logical_to_mesh_axes(logical_axis_resources, rules)
    if spec is not None:
        note_sharding(x, spec)
    return x


def get_partition_spec(tree):
    def spec(b):
        if isinstance(b, AxisMetadata):
            return b.get_partition_spec()
        return PartitionSpec() if hasattr(b, "shape") else None
    return _tree.map(spec, tree, is_leaf=_is_box)


def get_sharding(tree, mesh):
    return _tree.map(lambda s: NamedSharding(mesh, s), get_partition_spec(tree),
                     is_leaf=_is_spec)
