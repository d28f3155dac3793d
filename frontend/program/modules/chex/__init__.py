"""chex: checks pass; types are names."""

from typing import Any

from jax._core import Array

ArrayTree = Any
ArrayDevice = Any
ArrayNumpy = Any
ArraySharded = Any
Numeric = Any
Scalar = Any
Shape = tuple
PRNGKey = Any
PyTreeDef = Any
Device = Any
ArrayDType = Any


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, frozen=False,
              mappable_dataclass=True, **kw):
    import dataclasses
    from flax.struct import _to_node
    if cls is None:
        return lambda c: dataclass(c)
    return _to_node(dataclasses.dataclass(cls))


mappable_dataclass = dataclass


def _pass(*args, **kw):
    return None


assert_shape = assert_rank = assert_type = assert_equal_shape = assert_equal = _pass
assert_trees_all_close = assert_tree_all_finite = assert_axis_dimension = _pass
assert_trees_all_equal_shapes = assert_trees_all_equal_structs = assert_is_divisible = _pass
assert_equal_rank = assert_scalar = assert_scalar_in = assert_is_broadcastable = _pass
assert_trees_all_equal = assert_equal_shape_prefix = assert_equal_shape_suffix = _pass
assert_numerical_grads = assert_max_traces_counter = assert_gpu_available = _pass
assert_trees_all_equal_dtypes = assert_trees_all_equal_shapes_and_dtypes = _pass
assert_devices_available = assert_not_both_none = assert_exactly_one_is_none = _pass
assert_axis_dimension_gt = assert_axis_dimension_lt = assert_axis_dimension_gteq = _pass
disable_asserts = enable_asserts = clear_trace_counter = _pass


def assert_max_traces(fn=None, n=None):
    return fn if callable(fn) else (lambda f: f)


def chexify(fn, *args, **kw):
    return fn


class fake_pmap_and_jit:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


fake_jit = fake_pmap = fake_pmap_and_jit
