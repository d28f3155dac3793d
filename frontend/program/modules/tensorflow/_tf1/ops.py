"""Functions of TensorFlow 1 that TensorFlow 2 has not, or has with other arguments."""

import importlib

import _tilewise as _t
from _tilewise_named_batch import stated as _named_batch
from tensorflow import _dtypes
from tensorflow._dtypes import as_dtype, code_of
from tensorflow._tensor import Tensor, Variable, handle, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.graph import Operation, Quiet
from tensorflow._tf1.made import new_variable
from tensorflow._tf1.scopes import get_variable_scope
from tensorflow._tf1.towers import part_size

# What tensors have in graphs of TensorFlow 1.
importlib.import_module("tensorflow._tf1.made")
_unk = _t.is_unknown


class Placeholder(Tensor):
    """Data that is fed; `_fed` are its sizes as the program gave them."""
    _fed = None
    _shape_given = True
    _index = None  # in the order of their making
    _code = None

    def __getitem__(self, index):
        if self._fed and self._fed[0] is None:
            n = part_size(index, _t.shape(self._h)[0])
            if n:
                return wrap(_t.input([n] + list(_t.shape(self._h))[1:], self._code, "part", 0))
        return super().__getitem__(index)


def placeholder(dtype, shape=None, name=None):
    kind = as_dtype(dtype)
    if kind.name == "string":
        from tensorflow._strings import texts_of_shape
        sizes = list(_sizes(shape) or [])
        return texts_of_shape([1 if d is None else d for d in sizes])
    given = _sizes(shape)
    index = len(_MADE)
    _MADE.append(given)
    seen = _t.fed(index)
    if given is None and seen and 0 not in seen:
        given = [None] * len(seen)
    elif given is None:
        given = []
        if kind.name != "bool" and name not in ("keep_prob", "learning_rate", "lr"):
            _t.note("the shape of placeholder " + str(name or "") +
                    " is not given; it is taken as one number")
    sizes = []
    for i, d in enumerate(given):
        if d is None and seen and len(seen) == len(given) and seen[i]:
            sizes.append(seen[i])
            continue
        if d is None and i:
            _t.note("size " + str(i) + " of placeholder " + str(name or "") +
                    " is not known; 128 is taken")
        sizes.append(_open() if d is None and i == 0 else 128 if d is None else d)
    x = Placeholder.__new__(Placeholder)
    x._h = _t.input(sizes, kind.code, name or "placeholder", 0 if sizes else None)
    x._fed = given
    x._code = kind.code
    x._index = index
    x._shape_given = shape is not None
    if name:
        x.name = name + ":0"
    return x


_MADE = []
_OPEN = []


def _open():
    """The batch of all placeholders is one size."""
    if not _OPEN:
        name, size = _named_batch()
        given = _t.fed(-1)
        if given is not None and given[0] == size:
            _t.note("the batch of what placeholders are fed is taken to be " + str(size) +
                    ", as " + name + " says: other parts of the graph have that size")
            _t.record("batch", size=size, what="feed")
        elif size is not None:
            # It counts where the graph cannot be made with a batch that is left open.
            _t.record("fed", index=-1, sizes=[size], otherwise=0)
            given = None
        _OPEN.append(given[0] if given is not None else _t.open_dim())
    return _OPEN[0]


def _sizes(shape):
    from tensorflow._shape import TensorShape
    if shape is None:
        return None
    shape = TensorShape(shape)
    return None if shape.no_rank else shape.as_list()


def placeholder_with_default(input, shape=None, name=None):
    return wrap(handle(input))


def sparse_placeholder(dtype, shape=None, name=None):
    return _t.unknown("a sparse placeholder")


def Variable_v1(initial_value=None, trainable=None, collections=None, validate_shape=True,
                caching_device=None, name=None, variable_def=None, dtype=None, **kw):
    """A variable with TensorFlow 1's order of arguments."""
    if isinstance(collections, (list, tuple)):
        local = "local_variables" in collections
    else:
        local = False
    if callable(initial_value) and not isinstance(initial_value, Tensor):
        initial_value = initial_value()
    h = handle(initial_value, dtype)
    if _unk(h):
        return h
    scope = get_variable_scope().name
    base = (scope + "/" if scope else "") + (name or "Variable")
    full = _g.get_default_graph().unique_name(base)
    v = new_variable(list(_t.shape(h)), as_dtype(_t.dtype(h)), full,
                     True if trainable is None else trainable)
    if local:
        _g.mark_local(v)
    elif isinstance(collections, (list, tuple)):
        for key in collections:
            _g.add_to_collection(key, v)
    return v


VariableV1 = Variable_v1


def to_type(code):
    def function(x, name=None):
        h = handle(x)
        return h if _unk(h) else wrap(h if _t.dtype(h) == code else
                                      _t.op("tw.convert", [h], {"dtype": code}))
    return function


to_float, to_double, to_int32, to_int64, to_bfloat16 = [
    to_type(c) for c in ("f32", "f64", "s32", "s64", "bf16")]
to_complex64 = to_type("c64")


def _same(input_, *args, **kw):
    return input_


def Print(input_, data=None, message=None, first_n=None, summarize=None, name=None):
    return input_


def py_func(func, inp, Tout, stateful=True, name=None):
    """What a function of the host computes; of each result only the type is known."""
    reason = "a tensor that a function of the host makes"
    if isinstance(Tout, (list, tuple)):
        return [_t.unknown(reason) for _ in Tout]
    return _t.unknown(reason)


py_function = numpy_function = py_func


def assert_op(*args, **kw):
    return Operation(name="assert")


def nothing(*args, **kw):
    return None


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    if isinstance(ref, Variable):
        ref.assign(value)
    return _changed(ref)


def assign_add(ref, value, use_locking=None, name=None):
    return _changed(ref)


assign_sub = assign_add


def _changed(ref):
    """The variable; its update belongs to the step when it comes after one."""
    return _g.after_training(ref)


def scatter_update(ref, *args, **kw):
    return ref


def identity(input, name=None):
    from tensorflow._array import identity as plain
    y = plain(input)
    if _g.get_default_graph().control:
        y = wrap(y._h) if isinstance(y, Tensor) else y
        return _g.after_training(y)
    return y


def with_dependencies(dependencies, output_tensor, name=None):
    if _g.any_trains(dependencies):
        y = wrap(handle(output_tensor))
        _g.get_default_graph().trained.append(y)
        return y
    return output_tensor


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    from tensorflow._control import cond as plain
    if isinstance(pred, Placeholder):
        # What feeds a training step is taken to be true.
        return (true_fn or fn1)()
    return plain(pred, true_fn or fn1, false_fn or fn2)


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False,
           infer_shape=True, name=None, fn_output_signature=None):
    from tensorflow._control import map_fn as plain
    kind = fn_output_signature if dtype is None else dtype
    return plain(fn, elems, fn_output_signature=kind)


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=None):
    from tensorflow.random import categorical
    return categorical(logits, num_samples)


def div(x, y, name=None):
    from tensorflow._tensor import binary, tensor
    a = tensor(x)
    if not _unk(a) and _t.dtype(a._h)[0] in "su" and not isinstance(y, float):
        return binary("floor_divide", a, y)
    return a / y


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0, **kw):
    from tensorflow._array import ints
    sizes = ints(output_shape)
    if _unk(sizes):
        return sizes
    h = handle(sparse_values)
    return h if _unk(h) else wrap(_t.input(sizes, _t.dtype(h), "dense", None))


def confusion_matrix(*args, **kw):
    from tensorflow.math import confusion_matrix as plain
    return plain(*args, **kw)


def expand_dims(input, axis=None, name=None, dim=None):
    from tensorflow._array import expand_dims as plain
    return plain(input, dim if axis is None else axis)


def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    from tensorflow._gather import gather as plain
    return plain(params, indices, None, axis, batch_dims)


def strided_rows(condition, x):
    """A condition by rows, with the dims that a choice between whole rows needs."""
    c, a = handle(condition), handle(x)
    if _unk(c) or _unk(a):
        return condition
    n, m = len(_t.shape(c)), len(_t.shape(a))
    if n == 1 and m > 1 and _t.shape(c)[0] == _t.shape(a)[0]:
        return wrap(_t.op("tw.reshape", [c], {"shape": [_t.shape(c)[0]] + [1] * (m - 1)}))
    return condition


def where(condition, x=None, y=None, name=None):
    from tensorflow._gather import where as plain
    if x is not None and isinstance(x, Tensor):
        condition = strided_rows(condition, x)
    return plain(condition, x, y)


def slice(input_, begin, size, name=None):
    """A part; where its sizes are data it has open sizes."""
    from tensorflow._array import slice as plain
    y = plain(input_, begin, size)
    h = handle(input_)
    if not _unk(y) or _unk(h) or not _t.shape(h):
        return y
    sizes = [_t.open_dim() for _ in _t.shape(h)]
    return wrap(_t.input(sizes, _t.dtype(h), "part", None))


def random_normal(shape, mean=0.0, stddev=1.0, dtype=_dtypes.float32, seed=None, name=None):
    from tensorflow.random import normal
    return normal(shape, mean, stddev, dtype)


def device(name):
    return Quiet()


class VarLenFeature:
    def __init__(self, dtype):
        self.dtype = dtype


def container(name):
    return Quiet()


colocate_with = init_scope_v1 = container


def get_seed(seed):
    return None, None


def is_built_with_cuda():
    return False


def code(dtype):
    return code_of(dtype)
