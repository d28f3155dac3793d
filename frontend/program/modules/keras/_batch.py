"""One batch of what a program gives to `fit`."""

import _python
import _tilewise as _t
from keras import _node
from tensorflow import _open, _tensor as _x
from tensorflow._public import state

Tensor = _x.Tensor
_unk = _t.is_unknown
USUAL = 32     # examples of a batch that is not known
OTHER = 128    # any other size that is not known


class Batch:
    """`data`: (x, y, sample weight); `size` of it; `steps` of an epoch, where they are known.

    `guessed`: nothing says the size.
    """

    def __init__(self, data, size, steps=None, items=None, guessed=False):
        self.data, self.size, self.steps, self.items = data, size, steps, items
        self.guessed = guessed


def inputs_of_shape(model, shapes, batch):
    """Fresh data of the shapes of a model's Inputs."""
    return _node.map_tensors(lambda t: fresh(t, batch, t), shapes)


def fresh(value, batch, like=None, name="", whole=True):
    """Data of the shape and type of a tensor; sizes that are open are taken from `like`.

    `whole`: the value is all the data, of which `batch` examples are taken.
    """
    texts = getattr(value, "_strings", None)
    sizes = list(_t.open_shape(value._h)) if isinstance(value, Tensor) else \
        [None if _unk(d) else d for d in value.shape]
    if batch is not None and sizes and (whole or sizes[0] is None):
        sizes[0] = batch
    if like is not None and None in sizes:
        want = _t.open_shape(like._h)
        if len(want) == len(sizes):
            raw = _t.shape(like._h)
            sizes = [(_open.found.get(n) if b is None else b) if a is None else a
                     for a, b, n in zip(sizes, want, raw)]
    opened = []
    for i, d in enumerate(sizes):
        if d is None:
            opened.append(i)
            taken = USUAL if i == 0 else OTHER
            _t.note(("the batch" if i == 0 else "size " + str(i) + " of the data") +
                    " is not known; taken as " + str(taken))
            sizes[i] = taken
    if 0 in sizes:
        return _x.wrap(_t.full(0, sizes, _code(value)))
    if isinstance(value, Tensor) and texts is None and not sizes:
        return value
    state.batch = sizes[0] if sizes else state.batch
    # Data of an Input of the model is made where that is.
    place = getattr(getattr(value if like is None else like, "_source", None), "_place", None)
    facts = (sizes, _code(value), name or "x", 0 if sizes else None)
    made = _x.wrap(_t.input(*facts) if place is None else _python.at(place, _t.input, *facts))
    for i in opened:
        if i > 0:
            _t.record("open_size", value=made._h, dim=i, size=sizes[i])
    if texts is not None or getattr(value, "_is_text", False):
        made._is_text = True
    return made


def _code(value):
    code = _t.dtype(value._h) if isinstance(value, Tensor) else \
        getattr(value.dtype, "code", None) or _x.as_dtype(value.dtype).code
    return "f32" if code == "f64" else code


def _is_array(value):
    return isinstance(value, Tensor) or hasattr(value, "shape") and hasattr(value, "dtype")


def _open_features(array):
    """Whether a size of an example stands for one of data that is not here."""
    return any([isinstance(d, int) and _t.open_size(d) is None for d in list(array.shape)[1:]])


def _unknown_in(value):
    if _unk(value):
        return True
    if _is_array(value):
        return not isinstance(value, Tensor) and (_unk(value.shape) or _open_features(value))
    if isinstance(value, dict):
        return any(_unknown_in(v) for v in value.values())
    if isinstance(value, (list, tuple)):
        return any(_unknown_in(v) for v in value)
    return False


def _map(function, value):
    if value is None or _unk(value):
        return value
    if _is_array(value):
        return function(value)
    if isinstance(value, dict):
        return {k: _map(function, v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_map(function, v) for v in value]
        return items if isinstance(value, list) else tuple(items)
    return value


def _first(value):
    """The first array in it that is known."""
    if _unk(value) or value is None:
        return None
    if _is_array(value):
        return value
    if isinstance(value, dict):
        value = list(value.values())
    for v in value if isinstance(value, (list, tuple)) else ():
        found = _first(v)
        if found is not None:
            return found
    return None


def _arrays(value):
    """Lists of numbers and tables of the host as arrays."""
    if value is None or _unk(value) or _is_array(value):
        return value
    if isinstance(value, (list, tuple)) and value and isinstance(_deepest(value), (int, float)):
        import numpy
        return numpy.array(value)
    if isinstance(value, dict):
        return {k: _arrays(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_arrays(v) for v in value]
        return items if isinstance(value, list) else tuple(items)
    if hasattr(value, "__array__") or hasattr(value, "values"):
        return value.__array__() if hasattr(value, "__array__") else value.values
    return value


def _deepest(value):
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return value


def used(x, how):
    """Says what a data set is for."""
    if x is None or _unk(x) or isinstance(x, (tuple, list, dict)):
        return
    if hasattr(x, "_distributed"):
        x = x._distributed
    if hasattr(x, "_used"):
        x._used(how)


def record_arrays(x, y, batch):
    """Arrays in the memory of the host, which `fit` makes batches of by itself."""
    if x is None or _unk(x) or is_dataset(x) or hasattr(x, "_distributed"):
        return
    if not _is_array(x) and not isinstance(x, (list, tuple, dict)):
        return
    from tensorflow.data import _element
    arrays = [_tuples(_arrays(x))]
    if y is not None:
        arrays.append(_tuples(_arrays(y)))
    leaves = _element.mapped(_one_example, tuple(arrays) if y is not None else arrays[0])
    _t.record("arrays", leaves=leaves, items=batch.items)


def _tuples(x):
    return tuple(x) if isinstance(x, list) else x


def _one_example(x):
    from tensorflow.data import _element
    leaf = _element.of_value(x)
    return _element.drop_dim(leaf) if _element.is_leaf(leaf) else leaf


def is_dataset(x):
    return hasattr(x, "element") and hasattr(x, "batch_size")


def of_arrays(model, x, y, weight, batch_size, split):
    x, y = _arrays(x), _arrays(y)
    array = _first(x)
    if array is None:
        array = _first(y)
    count = None
    if array is not None and len(array.shape) > 0:
        count = array.shape[0]
        count = None if _unk(count) else count
    size = batch_size
    if size is None:
        size = USUAL
    guessed = _unk(size)
    if guessed:
        _t.note("the batch is not known; taken as " + str(USUAL) + ": " + _t.reason(size))
        size = USUAL
    size = int(size)
    if count is not None and not _unk(split) and split:
        count = int(count * (1 - split))
    if count is not None and 0 < count < size:
        size = count
    shapes = model._input_shapes()
    if _unknown_in(x):
        x = unknown_x(model, x, shapes, size)
    else:
        x = _like(model, x, shapes, size)
    y = _map(lambda a: fresh(a, size, None, "y"), y)
    weight = _map(lambda a: fresh(a, size, None, "sample_weight"), weight)
    steps = None if count is None else -(-count // size)
    return Batch(packed(x, y, weight), size, steps, count, guessed)


def unknown_x(model, x, shapes, size):
    """Data that is not known, by the Inputs of the model."""
    if shapes is None:
        return _map(lambda a: fresh(a, size), x)
    _t.note("the data is not known; it is taken to be of the shapes of the model's inputs")
    return inputs_of_shape(model, shapes, size)


def _like(model, x, shapes, size, whole=True):
    """Fresh data like the arrays; sizes that are open are taken from the Inputs."""
    wanted = [] if shapes is None else _node.flat(shapes)
    at = [0]

    def one(a):
        like = wanted[at[0]] if at[0] < len(wanted) else None
        at[0] += 1
        return fresh(a, size, like, "", whole)
    return _map(one, x)


def _size_by_name(generator):
    """The batch that the function of a generator, or its object, was made for."""
    names = getattr(generator, "gi_locals", {})
    made_by = names.get("self")
    for name in ("batch_size", "batchsize", "batchSize", "batch", "bs", "BATCH_SIZE"):
        size = names.get(name, getattr(made_by, name, None))
        if isinstance(size, int) and not isinstance(size, bool) and size > 0:
            return size
    return None


def of_element(model, element, size, whole=False, usual=None):
    """A batch that a data set, a generator or a sequence gave.

    `whole`: `size` is what the batch should have, whatever it has: files may be missing.
    `usual`: the size where nothing else says it.
    """
    element = _arrays(element)
    if _unk(element):
        return of_arrays(model, element, element, None, usual if size is None else size, 0)
    parts = element if isinstance(element, tuple) or \
        isinstance(element, list) and len(element) in (2, 3) else (element,)
    array = _first(parts)
    guessed = False
    if size is None or _unk(size):
        size = None
        if array is not None and len(array.shape) > 0:
            have = _t.open_shape(array._h) if isinstance(array, Tensor) else array.shape
            size = None if _unk(have[0]) else have[0]
        size = usual if size is None else size
        guessed = size is None
        if guessed:
            _t.note("the batch is not known; taken as " + str(USUAL))
            size = USUAL
        elif size == 1 and usual is not None and usual > 1:
            _t.note("the generator gives one example, as far as its rows are read; " +
                    str(usual) + " are taken, which is its batch size")
            size, whole = usual, True
    shapes = model._input_shapes()
    if _unknown_in(parts[0]):
        x = unknown_x(model, parts[0], shapes, size)
    else:
        x = _like(model, parts[0], shapes, size, whole)
    rest = [_map(lambda a: fresh(a, size, None, "y", whole), p) for p in parts[1:]]
    if isinstance(element, (tuple, list)) and parts is element:
        return Batch(tuple([x] + rest), size, guessed=guessed)
    return Batch(packed(x, None, None), size, guessed=guessed)


def packed(x, y, weight):
    """What `fit` gives a step of arrays: what is None is left out."""
    if y is None and weight is None:
        return (x,) if isinstance(x, (list, tuple)) else x
    return (x, y) if weight is None else (x, y, weight)


def of(model, x, y, weight, batch_size, split):
    """The batch of the arguments of `fit`."""
    if x is None or _unk(x):
        return of_arrays(model, x, y, weight, batch_size, split)
    if is_dataset(x):
        size = x.batch_size
        if size is None and hasattr(x, "fact"):
            size = x.fact("batch", "batch_size", batch_size)
        made = of_element(model, x.element, size)
        made.size = _largest(made.data, made.size)
        made.steps = _count(x)
        return made
    if hasattr(x, "_distributed"):
        return of(model, x._distributed, y, weight, batch_size, split)
    if _is_array(x) or isinstance(x, (list, tuple, dict)):
        return of_arrays(model, x, y, weight, batch_size, split)
    if hasattr(x, "__next__"):
        usual = _size_by_name(x)
        return of_element(model, next(x), None, usual=usual)
    if hasattr(x, "__getitem__") and not hasattr(x, "__array__"):
        size = getattr(x, "batch_size", None)
        if _unk(size) or not isinstance(size, int):
            size = None
        made = of_element(model, x[0], size, size is not None)
        made.steps = _count(x)
        return made
    if hasattr(x, "__iter__") and not hasattr(x, "__array__"):
        return of_element(model, next(iter(x)), None)
    if callable(x):
        try:
            given = x(None)
        except TypeError:  # a function without the batch size
            given = x()
        return of(model, given, y, weight, batch_size, split)
    return of_arrays(model, x, y, weight, batch_size, split)


def _largest(data, size):
    """Of parts that have batches of their own, as zipped data sets have: the largest."""
    parts = data if isinstance(data, tuple) else ()
    found = [_t.shape(a._h)[0] for a in map(_first, parts)
             if isinstance(a, Tensor) and _t.shape(a._h)]
    return max(found + [size]) if len(found) > 1 and size in found else size


def _count(x):
    if not hasattr(x, "__len__"):
        return None
    try:
        n = len(x)
    except Exception:
        return None
    return None if _unk(n) else n
