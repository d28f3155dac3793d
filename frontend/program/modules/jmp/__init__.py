"""jmp: policies of mixed precision."""

from jax import _core as _c
from jax import _tree


def _cast(tree, d):
    return _tree.map(lambda x: _c.convert(x, d) if isinstance(x, _c.Array)
                     and _c.is_float(x.dtype) else x, tree)


class Policy:
    def __init__(self, param_dtype, compute_dtype, output_dtype):
        self.param_dtype = _c.dtype(param_dtype)
        self.compute_dtype = _c.dtype(compute_dtype)
        self.output_dtype = _c.dtype(output_dtype)

    def cast_to_param(self, x):
        return _cast(x, self.param_dtype)

    def cast_to_compute(self, x):
        return _cast(x, self.compute_dtype)

    def cast_to_output(self, x):
        return _cast(x, self.output_dtype)

    def with_output_dtype(self, d):
        return Policy(self.param_dtype, self.compute_dtype, d)


def half_dtype():
    return _c.bfloat16


_NAMES = {"half": "bfloat16", "full": "float32", "p": "params", "c": "compute", "o": "output",
          "f16": "float16", "f32": "float32", "bf16": "bfloat16"}


def get_policy(text):
    parts = {}
    whole = "float32"
    for p in text.split(","):
        key, equals, value = p.strip().partition("=")
        if equals:
            parts[_NAMES.get(key, key)] = _NAMES.get(value, value)
        else:
            whole = _NAMES.get(key, key)
    return Policy(parts.get("params", whole), parts.get("compute", whole),
                  parts.get("output", whole))


def cast_to_half(x):
    return _cast(x, _c.bfloat16)


def cast_to_full(x):
    return _cast(x, _c.float32)


class NoOpLossScale:
    loss_scale = 1

    def __init__(self, *args, **kw):
        pass

    def scale(self, x):
        return x

    def unscale(self, x):
        return x

    def adjust(self, finite):
        return self


_tree.register(NoOpLossScale, lambda x: ([], x), lambda data, c: data,
               lambda kind, data, c: data)


class StaticLossScale(NoOpLossScale):
    pass


class DynamicLossScale(NoOpLossScale):
    pass


LossScale = NoOpLossScale


def all_finite(tree):
    return _c.known(True, _c.bool_)


def select_tree(pred, a, b):
    return a
