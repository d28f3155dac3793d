"""Names, shapes and masks; what the call of a class takes."""

import _python
import _tilewise as _t
from tensorflow import _tensor as _x
from tensorflow._shape import TensorShape

Tensor = _x.Tensor
_counts = {}    # names that were given
_snakes = {}


def snake(name):
    """ "MyDense2D" as "my_dense2d". """
    if name not in _snakes:
        text = ""
        for i, c in enumerate(name):
            if c.isupper() and i > 0 and (not name[i - 1].isupper() and name[i - 1] != "_" and
                                          not name[i - 1].isdigit() or
                                          i + 1 < len(name) and name[i + 1].islower()):
                text += "_"
            text += c.lower()
        _snakes[name] = text.strip("_")
    return _snakes[name]


def auto_name(prefix):
    n = _counts.get(prefix, 0)
    _counts[prefix] = n + 1
    return prefix if n == 0 else prefix + "_" + str(n)


def names_of(function):
    """Names of what a function takes after `self`, and whether it takes any name."""
    names, any_name, defaults = [], False, {}
    for name, kind, has_default, default in _python.signature(
            getattr(function, "python_function", function)):
        if kind == "var_keyword":
            any_name = True
        elif kind != "var_positional":
            names.append(name)
            if has_default:
                defaults[name] = default
    return names[1:] if names and names[0] == "self" else names, any_name, defaults


class Info:
    """Of a class: the names that `call` takes, where `training` and `mask` are among them."""

    def __init__(self, cls, base):
        self.names, self.any_name, self.defaults = names_of(cls.call)
        names = self.names
        self.training = names.index("training") if "training" in names else -1
        self.mask = "mask" in names
        self.masks = [(i, n[:-5]) for i, n in enumerate(names) if n.endswith("_mask") and
                      n[:-5] in names]
        self.makes_mask = cls.compute_mask is not base.compute_mask
        self.builds = cls.build is not base.build
        self.own = (cls.__module__ or "").split(".")[0] in ("keras", "tensorflow")


def shape_of(value):
    """Shapes of a nested structure of tensors, as `build` gets them."""
    if isinstance(value, Tensor):
        return value.shape
    if isinstance(value, list):
        return [shape_of(v) for v in value]
    if isinstance(value, tuple):
        return tuple([shape_of(v) for v in value])
    if isinstance(value, dict):
        return {k: shape_of(v) for k, v in value.items()}
    return TensorShape(value.shape) if hasattr(value, "shape") else None


def mask_of(value):
    if isinstance(value, Tensor):
        return value._keras_mask
    if isinstance(value, (list, tuple)):
        found = [mask_of(v) for v in value if isinstance(v, Tensor)]
        return found if any(m is not None for m in found) else None
    return None


def plain_shape(value):
    if isinstance(value, Tensor):
        return tuple(value.shape)
    if isinstance(value, (list, tuple)):
        return [plain_shape(v) for v in value]
    if isinstance(value, dict):
        return {k: plain_shape(v) for k, v in value.items()}
    return value


def stand_ins(shape):
    """Tensors of a shape, or of a nested structure of shapes."""
    if isinstance(shape, dict):
        return {k: stand_ins(v) for k, v in shape.items()}
    sizes = list(shape)
    if sizes and isinstance(sizes[0], (list, tuple, TensorShape)):
        return [stand_ins(s) for s in sizes]
    from keras._input import stand_in
    return _x.wrap(stand_in(sizes, "f32", "shape"))


class InputSpec:
    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None,
                 allow_last_axis_squeeze=False, name=None, optional=False):
        self.dtype, self.shape, self.axes = dtype, shape, axes
        self.ndim, self.max_ndim, self.min_ndim = ndim, max_ndim, min_ndim
