"""Tensors that are symbols: each method makes ops in tilewise's graph.

Methods name their first parameter `input`, as they are the functions of the module `torch` too.
"""

import math
import _tilewise

_op = _tilewise.op
_known = _tilewise.known


# ---- types of elements


class dtype:
    def __init__(self, name, code, rank, itemsize, kind):
        self.name, self.code, self.rank, self.itemsize = name, code, rank, itemsize
        self.kind = kind  # 0 bool, 1 integer, 2 floating, 3 complex
        self.is_floating_point = kind == 2
        self.is_complex = kind == 3
        self.is_signed = name[0] != "u" and kind > 0

    def __repr__(self):
        return "torch." + self.name

    def to_real(self):
        return _BY_CODE.get({"c64": "f32", "c128": "f64"}.get(self.code, self.code))

    def to_complex(self):
        return _BY_CODE["c128" if self.code == "f64" else "c64"]


_DTYPES = {
    name: dtype(name, code, rank, size, kind)
    for rank, (name, code, size, kind) in enumerate([
        ("bool", "pred", 1, 0), ("uint8", "u8", 1, 1), ("int8", "s8", 1, 1), ("int16", "s16", 2, 1),
        ("uint16", "u16", 2, 1), ("int32", "s32", 4, 1), ("uint32", "u32", 4, 1),
        ("int64", "s64", 8, 1), ("uint64", "u64", 8, 1),
        ("float8_e4m3fn", "f8e4m3fn", 1, 2), ("float8_e5m2", "f8e5m2", 1, 2),
        ("bfloat16", "bf16", 2, 2), ("float16", "f16", 2, 2), ("float32", "f32", 4, 2),
        ("float64", "f64", 8, 2), ("complex64", "c64", 8, 3), ("complex128", "c128", 16, 3)])
}
_BY_CODE = {t.code: t for t in _DTYPES.values()}
float32, float64, bfloat16, float16 = (
    _DTYPES[n] for n in ("float32", "float64", "bfloat16", "float16"))
int64, int32, uint8, boolean = (_DTYPES[n] for n in ("int64", "int32", "uint8", "bool"))
_FLOATS = ("f32", "bf16", "f16", "f64", "f8e4m3fn", "f8e5m2")


class _State:
    """What holds for the whole program that is read."""
    default = float32
    grad = True
    cast = None       # code of the type of autocast
    backward = False  # has been called
    stepped = False
    manual = False    # weights are changed by hand
    per_core = False  # each core runs a process of its own, with batches of its own
    batched = False   # the batch was recorded
    fed = None        # size of the batch that a model was called with first
    loaded = None     # size of the batches of the loader that was asked last
    after = None      # what runs after the gradients of a weight are there
    outputs = []      # what models gave since weights were changed last
    running = []      # modules whose forward runs
    parameters = False  # some weight was made as a Parameter
    on_xla = False  # the program has asked for the device of torch_xla


state = _State()


def code_of(kind):
    """The code of a dtype, of Python's own types, or of a type of numpy."""
    if kind is None:
        return state.default.code
    if kind is float:
        return state.default.code
    if kind is int:
        return "s64"
    if kind is bool:
        return "pred"
    if isinstance(kind, str):
        return _DTYPES[kind.split(".")[-1]].code
    return kind.code


def promoted(s, t, rank_s=1, rank_t=1):
    """The code both types become; a tensor without dims only counts by its kind."""
    a, b = _BY_CODE[s], _BY_CODE[t]
    if a.kind == b.kind and (rank_s == 0) != (rank_t == 0):
        return t if rank_s == 0 else s
    if a.kind != b.kind:
        high, low = (a, b) if a.kind > b.kind else (b, a)
        if high.kind == 3 and low.code == "f64":
            return "c128"
        return high.code
    if {s, t} == {"bf16", "f16"}:
        return "f32"
    if {s, t} == {"u8", "s8"}:
        return "s16"
    return s if a.rank >= b.rank else t


class device:
    def __init__(self, type="cpu", index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int):
            type, index = "xla", type
        elif type is None:
            type = "xla"
        elif ":" in type:
            type, number = type.split(":")
            index = int(number)
        self.type, self.index = type, index

    def __str__(self):
        return self.type if self.index is None else self.type + ":" + str(self.index)

    def __repr__(self):
        return "device(type='" + self.type + "')"

    def __eq__(self, other):
        return str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


_DEVICE = device("xla", 0)


class Named:
    """Two results that have names, as those of max(dim) or sort."""

    def __init__(self, values, indices):
        self.values, self.indices = values, indices

    def __iter__(self):
        return iter((self.values, self.indices))

    def __getitem__(self, i):
        return (self.values, self.indices)[i]

    def __len__(self):
        return 2


# ---- from and to handles


def wrap(h):
    if _tilewise.is_unknown(h):
        return h
    x = Tensor.__new__(Tensor)
    x._h = h
    return x


def wraps(handles):
    return tuple([wrap(h) for h in handles])


def handle(x, like=None):
    """The handle of a tensor or a number; numbers take the type of `like` if they fit in it."""
    if isinstance(x, Tensor):
        return x._h
    if _tilewise.is_unknown(x):
        return _scalar("f32" if like is None else _tilewise.dtype(like))
    if like is None:
        return tensor(x)._h
    code = _tilewise.dtype(like)
    if isinstance(x, (bool, int, float)):
        return _known(x, code)
    return convert(tensor(x)._h, code)


def _scalar(code):
    """A number that only the program at work knows."""
    return _tilewise.input([], code, "", None)


def convert(h, code):
    return h if _tilewise.dtype(h) == code else _op("tw.convert", [h], {"dtype": code})


def to_float(h):
    return h if _tilewise.dtype(h) in _FLOATS else convert(h, state.default.code)


def cast(h):
    """Of operands of matrix products: the type of autocast where one holds."""
    if state.cast is not None and _tilewise.dtype(h) == "f32":
        return convert(h, state.cast)
    return h


def cast_up(h):
    """Of operands of what autocast keeps in single precision."""
    if state.cast is not None and _tilewise.dtype(h) in ("bf16", "f16"):
        return convert(h, "f32")
    return h


def _number_code(code, number):
    if isinstance(number, bool) or code[0] == "c":
        return code
    if isinstance(number, complex):
        return "c64"
    if isinstance(number, float):
        return code if code in _FLOATS else state.default.code
    return "s64" if code == "pred" else code


def pair(a, b):
    """Handles of two operands, of the type both are promoted to."""
    if _tilewise.is_unknown(a):
        if _tilewise.is_unknown(b) or not isinstance(b, Tensor) or _spread(b):
            return a, a
        if _tilewise.is_unknown(b._h):  # a weight of a size that is not known
            return b._h, b._h
        a = wrap(_scalar(_tilewise.dtype(b._h)))
    if not isinstance(a, Tensor):
        y, x = pair(b, a) if isinstance(b, Tensor) else pair(tensor(b), a)
        return x, y
    x = a._h
    s = _tilewise.dtype(x)
    if isinstance(b, Tensor):
        y = b._h
        t = _tilewise.dtype(y)
        if s == t:
            return x, y
        to = promoted(s, t, len(_tilewise.shape(x)), len(_tilewise.shape(y)))
        return convert(x, to), convert(y, to)
    if isinstance(b, (bool, int, float, complex)):
        to = _number_code(s, b)
        return convert(x, to), _known(b, to)
    if _tilewise.is_unknown(b) and (_tilewise.is_unknown(x) or _spread(a)):
        return b, b
    return pair(a, wrap(_scalar(s)) if _tilewise.is_unknown(b) else tensor(b))


def _spread(x):
    """Whether what is not known beside it is data that it is spread over: a weight with dims, a
    constant."""
    h = x._h
    if len(_tilewise.shape(h)) > 0:
        return _tilewise.is_weight(h)
    return _tilewise.numbers(h) is not None


def axis(dim, rank):
    return dim + rank if dim < 0 else dim


def axes(dim, rank):
    if dim is None or (isinstance(dim, (tuple, list)) and len(dim) == 0):
        return list(range(rank))
    if isinstance(dim, (tuple, list)):
        return [d + rank if d < 0 else d for d in dim]
    return [dim + rank if dim < 0 else dim]


def broadcast(*shapes):
    rank = max([len(s) for s in shapes])
    result = [1] * rank
    for s in shapes:
        for i, n in enumerate(s):
            if n != 1:
                result[rank - len(s) + i] = n
    return result


def expanded(h, shape):
    have = _tilewise.shape(h)
    if tuple(have) == tuple(shape):
        return h
    first = len(shape) - len(have)
    if first < 0 and not shape:  # a place whose index is not known is taken as one number
        return reshaped(_op("onnx.ReduceMax", [h], {"keepdims": 0}), [])
    dims = list(range(first, len(shape)))
    return _op("tw.broadcast_in_dim", [h], {"shape": list(shape), "dims": dims})


def reshaped(h, shape):
    return _op("tw.reshape", [h], {"shape": list(shape)})


def transposed(h, permutation):
    return _op("tw.transpose", [h], {"permutation": list(permutation)})


def _as_type(x, to):
    """The same bits as another type: the last dim has more parts, or fewer."""
    had, has, shape = x.dtype.itemsize, to.itemsize, list(x.shape)
    h = x._h
    if had < has and shape:
        h = reshaped(h, shape[:-1] + [shape[-1] * had // has, has // had])
    h = _op("tw.bitcast", [h], {"dtype": to.code})
    if had > has and shape:
        h = reshaped(h, shape[:-1] + [shape[-1] * had // has])
    return wrap(h)


def converted(x, code):
    if _tilewise.dtype(x._h) == code:
        return x
    return _on_host(x, wrap(convert(x._h, code)))


def _on_host(x, y):
    """`y`, which is on the host still where `x` is that it was made of."""
    if x._host:
        y._host = True
    return y


def set_grad(mode):
    """Without gradients nothing is part of a training step, but in a forward pass that runs."""
    state.grad = mode
    _tilewise.idle(not mode and not state.running)


def run_per_core():
    """From here on each core runs a process of its own."""
    state.per_core = True
    _tilewise.record("processes")


def record_batch(size, what):
    state.batched = True
    if isinstance(size, int) and size > 7000 and _tilewise.open_size(size) is None:
        _tilewise.note("how many rows the data has is not known; a batch of " + str(size) +
                       " stands for all of them")
    _tilewise.record("batch", size=size, what=what, per_core=state.per_core)


def moved(x):
    """Data that goes from the host to the device: an input of the step."""
    if not x._host:
        return x
    shape = list(_tilewise.shape(x._h))
    # Beside the batches of a loader and parts of them, arrays are tables: filters, weights.
    n = state.loaded
    at = 0 if shape and (type(n) is not int or shape[0] == n or
                         len(shape) > 1 and 0 < shape[0] < n and n % shape[0] == 0) else None
    if at == 0 and not state.stepped:
        record_batch(shape[0], "Tensor")
    return wrap(_tilewise.input(shape, _tilewise.dtype(x._h), "", at))


# ---- indexing


def _bounds(s, size):
    step = 1 if s.step is None else int(s.step)
    start = 0 if s.start is None else int(s.start)
    stop = size if s.stop is None else int(s.stop)
    start = max(start + size, 0) if start < 0 else min(start, size)
    stop = max(stop + size, 0) if stop < 0 else min(stop, size)
    return start, max(stop, start), step


class _Place:
    """An index, sorted: slices of all dims, the shape behind them, and tensors that index it."""

    def __init__(self, shape, index):
        if _tilewise.is_unknown(index):
            index = wrap(_scalar("s64"))
        items = list(index) if isinstance(index, tuple) else [index]
        items = [wrap(_scalar("s64")) if _tilewise.is_unknown(i) else i for i in items]
        used, gap = 0, -1
        for i, item in enumerate(items):
            if item is Ellipsis:
                gap = i
            elif item is not None:
                used += _rank_of_index(item)
        if gap < 0:
            gap = len(items)
            items.append(Ellipsis)
        whole = [slice(None, None, None)] * (len(shape) - used)
        items[gap:gap + 1] = whole
        self.starts, self.limits, self.strides, self.shape, self.tensors = [], [], [], [], []
        self.whole = True  # nothing is cut off
        d = 0
        if len(shape) == 0 and items == [0]:
            items = []  # as programs for the first versions take the number of a loss
        for item in items:
            if item is None:
                self.shape.append(1)
                continue
            if isinstance(item, Tensor) and item.numel() == 1 and item.dtype is not boolean \
                    and item.dim() == 0 and _tilewise.numbers(item._h) is not None:
                item = int(item)
            size = shape[d]
            if isinstance(item, slice):
                start, stop, step = _bounds(item, size)
                self.shape.append((stop - start + step - 1) // step)
            elif isinstance(item, int) and not isinstance(item, bool):
                start = item + size if item < 0 else item
                if start < 0 or start >= size:
                    raise IndexError("index " + str(item) + " is out of bounds for dimension " +
                                     str(d) + " with size " + str(size))
                stop, step = start + 1, 1
            else:
                if not isinstance(item, Tensor):
                    item = tensor(item)
                self.tensors.append((len(self.shape), item))
                for _ in range(_rank_of_index(item)):
                    self._cut(0, shape[d], 1, shape[d])
                    self.shape.append(shape[d])
                    d += 1
                continue
            self._cut(start, stop, step, size)
            d += 1

    def _cut(self, start, stop, step, size):
        self.starts.append(start)
        self.limits.append(stop)
        self.strides.append(step)
        if start != 0 or stop != size or step != 1:
            self.whole = False


def _rank_of_index(item):
    if isinstance(item, Tensor) and _tilewise.dtype(item._h) in ("pred", "u8"):
        return item.dim()
    return 1


def _flat(values):
    if _tilewise.is_unknown(values) or not isinstance(values, (list, tuple)):
        return [values]
    result = []
    for v in values:
        result.extend(_flat(v))
    return result


def _masked(x, at, mask):
    """Rows of x, from dim `at` on, where the mask holds; all of them when that is not known."""
    shape, rank = list(x.shape), mask.dim()
    size = math.prod(shape[at:at + rank])
    flat = reshaped(x._h, shape[:at] + [size] + shape[at + rank:])
    kept = _tilewise.numbers(mask._h)
    if kept is None:
        _tilewise.record("dynamic", what="boolean mask")
        chosen = _op("tw.iota", [], {"shape": [size], "dim": 0, "dtype": "s64"})
        return wrap(_op("onnx.Gather", [flat, chosen], {"axis": at}))
    rows = [i for i, k in enumerate(_flat(kept)) if k]
    return wrap(_op("onnx.Gather", [flat, _known(rows, "s64")], {"axis": at}))


def _indexed(x, tensors):
    if len(tensors) == 1:
        at, index = tensors[0]
        if index.dtype is boolean or (index.dtype is uint8 and index.dim() > 0):
            return _masked(x, at, index)
        return wrap(_op("onnx.Gather", [x._h, index._h], {"axis": at}))
    at = [a for a, _ in tensors]
    together = at[-1] - at[0] == len(at) - 1
    rank = x.dim()
    h = x._h
    if at != list(range(len(at))):
        h = transposed(h, at + [d for d in range(rank) if d not in at])
    shape = broadcast(*[t.shape for _, t in tensors])
    rows = [reshaped(expanded(convert(t._h, "s64"), shape), shape + [1]) for _, t in tensors]
    index = _op("onnx.Concat", rows, {"axis": len(shape)})
    h = _op("onnx.GatherND", [h, index])
    if together and at[0] > 0:
        n, k = at[0], len(shape)
        total = rank - len(at) + k
        order = list(range(k, k + n)) + list(range(k)) + list(range(k + n, total))
        h = transposed(h, order)
    return wrap(h)


def _with_number(h, shape, index, value):
    """The numbers of a short row after one of them is set; None: they are not known."""
    if len(shape) != 1 or shape[0] > 64 or type(index) is not int or \
            not -shape[0] <= index < shape[0]:
        return None
    old, new = _tilewise.numbers(h), _tilewise.numbers(value)
    if old is None or new is None:
        return None
    while isinstance(new, (list, tuple)):
        if len(new) != 1:
            return None
        new = new[0]
    numbers = list(old)
    numbers[index] = new
    return numbers


# ---- the tensor


class Tensor:
    _asks = None  # whether it requires gradients, where the program says so
    grad_fn = None
    layout = "strided"
    is_cuda = is_sparse = is_quantized = is_mps = is_meta = is_nested = is_xpu = False
    is_xla = True
    _base = None

    def __tilewise_merge__(self, other):
        """Either of two tensors of one shape and type, whichever a condition chose."""
        if _tilewise.is_unknown(self._h) or _tilewise.is_unknown(other._h) or \
                _tilewise.shape(self._h) != _tilewise.shape(other._h) or \
                _tilewise.dtype(self._h) != _tilewise.dtype(other._h):
            return NotImplemented
        return wrap(self._h) if type(self) is Tensor else self
    _grad = None
    _host = False  # data that is still on the host

    def __init__(self, *data, device=None):
        if len(data) == 1 and not isinstance(data[0], int):
            self._h = tensor(data[0], dtype=float32)._h
        else:
            self._h = _tilewise.full(0.0, _tilewise.dims(data), "f32")

    # -- what it is

    @property
    def shape(self):
        return tuple(_tilewise.shape(self._h))

    @property
    def dtype(self):
        return _BY_CODE[_tilewise.dtype(self._h)]

    @property
    def ndim(self):
        return len(_tilewise.shape(self._h))

    @property
    def device(self):
        return _DEVICE

    @property
    def data(self):
        return self

    @data.setter
    def data(self, value):
        self._replace(value)

    def _replace(self, new):
        self._h = new._h

    @property
    def requires_grad(self):
        if self._asks is not None:
            return self._asks
        return bool(state.grad) and _tilewise.computed(self._h)

    @requires_grad.setter
    def requires_grad(self, value):
        self._asks = value

    @property
    def grad(self):
        if self._grad is None and state.backward and getattr(self, "_trained", self._asks):
            shape = _tilewise.shape(self._h)
            self._grad = wrap(_tilewise.full(0.0, list(shape), _tilewise.dtype(self._h)))
        return self._grad

    @grad.setter
    def grad(self, value):
        self._grad = value

    @property
    def placements(self):
        from .distributed.tensor import Shard
        return (Shard(0),)

    def to_local(input):
        return input

    full_tensor = to_local

    @property
    def T(self):
        return self.permute(*range(self.dim() - 1, -1, -1))

    @property
    def mT(self):
        return self.transpose(-1, -2)

    @property
    def H(self):
        return self.transpose(-1, -2)

    @property
    def real(self):
        return wrap(_op("tw.unary", [self._h], {"kind": "real"})) if self.is_complex() else self

    @property
    def imag(self):
        return wrap(_op("tw.unary", [self._h], {"kind": "imag"}))

    @property
    def is_leaf(self):
        return True

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.numel() * self.dtype.itemsize

    def size(input, dim=None):
        shape = tuple(_tilewise.shape(input._h))
        return shape if dim is None else shape[dim]

    def dim(input):
        return len(_tilewise.shape(input._h))

    ndimension = dim

    def numel(input):
        return math.prod(_tilewise.shape(input._h))

    nelement = numel

    def element_size(input):
        return input.dtype.itemsize

    def stride(input, dim=None):
        strides, n = [], 1
        for size in reversed(input.shape):
            strides.insert(0, n)
            n *= size
        return tuple(strides) if dim is None else strides[dim]

    def storage_offset(input):
        return 0

    def is_contiguous(input, memory_format=None):
        return True

    def is_floating_point(input):
        return input.dtype.is_floating_point

    def is_complex(input):
        return input.dtype.is_complex

    def get_device(input):
        return 0

    def data_ptr(input):
        return id(input)

    def __len__(self):
        return _tilewise.shape(self._h)[0]

    def __repr__(self):
        return "tensor(" + str(self.shape) + ", dtype=" + str(self.dtype) + ")"

    def __format__(self, spec):
        value = self.item()
        return repr(self) if _tilewise.is_unknown(value) else format(value, spec)

    def __hash__(self):
        return id(self)

    def __iter__(self):
        n = _tilewise.shape(self._h)[0]
        if n > 4096:
            _tilewise.note("16 of the " + str(n) + " rows that are gone through stand for all")
            return iter([self[i] for i in range(16)])
        return iter(self.unbind(0))

    def __contains__(self, value):
        return (self == value).any().item()

    # -- to numbers

    def tolist(input):
        numbers = _tilewise.numbers(input._h)
        if numbers is None:
            _tilewise.record("fetch")
            return _tilewise.unknown("value of a tensor on the device")
        return numbers

    def item(input):
        numbers = input.tolist()
        while isinstance(numbers, list):
            numbers = numbers[0]
        return numbers

    def __int__(self):
        return _number(self, int)

    def __float__(self):
        return _number(self, float)

    def __bool__(self):
        return _number(self, bool)

    def __index__(self):
        return _number(self, int)

    def numpy(input, force=False):
        import numpy
        if _tilewise.numbers(input._h) is None and input.numel() < 1 << 20:
            _tilewise.record("fetch")
        return numpy.ndarray._of(input)

    def __array__(self, dtype=None):
        return self.numpy()

    # -- gradients

    def requires_grad_(input, requires_grad=True):
        input.requires_grad = requires_grad
        return input

    def backward(input, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        state.backward = True
        if not state.batched and state.fed is not None and not state.stepped:
            record_batch(state.fed, "what the model is called with")
        chosen = None if inputs is None else [p._h for p in inputs]
        state.outputs = []
        _tilewise.record("backward", by="torch", value=input._h, parameters=chosen)
        if state.after is not None:
            state.after()

    def detach(input):
        x = wrap(input._h)
        if isinstance(x, Tensor):
            x._asks = False
        return x

    def detach_(input):
        return input

    def retain_grad(input):
        pass

    def register_hook(input, hook):
        return Handle()

    def register_post_accumulate_grad_hook(input, hook):
        # One stands for those of all weights: it updates them as the backward pass goes.
        state.after = lambda: hook(input)
        return Handle()

    def share_memory_(input):
        return input

    def pin_memory(input, device=None):
        return input

    def record_stream(input, stream):
        pass

    def clone(input, memory_format=None):
        return wrap(input._h)

    def contiguous(input, memory_format=None):
        return input

    def __deepcopy__(self, memo):
        return wrap(self._h)

    def __copy__(self):
        return wrap(self._h)

    # -- in place: the tensor takes another handle

    def _set(self, new):
        h = convert(handle(new, self._h), _tilewise.dtype(self._h))
        if _tilewise.shape(h) != _tilewise.shape(self._h) and len(_tilewise.shape(h)) == 0:
            h = expanded(h, _tilewise.shape(self._h))
        self._h = h
        if self._base is not None:
            source, index = self._base
            source[index] = self
        return self

    def __getattr__(self, name):
        if name[-1:] == "_" and name[:2] != "__" and hasattr(Tensor, name[:-1]):
            function = getattr(Tensor, name[:-1])
            return lambda *args, **kwargs: self._set(function(self, *args, **kwargs))
        raise AttributeError("'Tensor' object has no attribute '" + name + "'")

    # The layout of a tensor changes none of its sizes.
    def to_sparse(input, *args, **kwargs):
        return input

    to_dense = coalesce = to_sparse_csr = to_sparse_coo = to_sparse

    def copy_(input, source, non_blocking=False):
        h = convert(handle(source, input._h), _tilewise.dtype(input._h))
        return input._set(wrap(expanded(h, _tilewise.shape(input._h))))

    def fill_(input, value):
        if isinstance(value, Tensor):
            return input.copy_(value)
        return input._set(full_like(input, value))

    def zero_(input):
        return input._set(full_like(input, 0))

    def resize_(input, *shape):
        return input._set(full_like(input, 0, shape=_tilewise.dims(shape)))

    def set_(input, source):
        input._replace(source)
        return input

    def uniform_(input, low=0, high=1, generator=None):
        return input._set(random_like(input, "uniform"))

    def normal_(input, mean=0, std=1, generator=None):
        return input._set(random_like(input, "normal"))

    def random_(input, low=0, high=None, generator=None):
        return input._set(random_like(input, "bits"))

    def bernoulli_(input, p=0.5, generator=None):
        return input._set(random_like(input, "uniform") < p)

    trunc_normal_ = exponential_ = log_normal_ = cauchy_ = geometric_ = normal_

    def add_(input, other, alpha=1):
        return input._set(input.add(other, alpha=alpha))

    # -- types and devices

    def to(input, *args, **kwargs):
        wanted = kwargs.get("dtype")
        for a in args:
            if isinstance(a, dtype) or a is float or a is int or a is bool:
                wanted = a
            elif isinstance(a, Tensor):
                wanted = a.dtype
        if input._host and (len(args) > 0 and not isinstance(args[0], (dtype, Tensor))
                            or "device" in kwargs):
            input = moved(input)
        return input if wanted is None else converted(input, code_of(wanted))

    def type(input, dtype=None, non_blocking=False):
        if dtype is None:
            return "torch." + _TYPE_NAMES.get(input.dtype.name, "FloatTensor")
        if isinstance(dtype, str):
            name = dtype.split(".")[-1]
            codes = [n for n, t in _TYPE_NAMES.items() if t == name]
            return converted(input, code_of(codes[0] if codes else name))
        return converted(input, code_of(dtype))

    def type_as(input, other):
        return converted(input, _tilewise.dtype(other._h))

    def cuda(input, device=None, non_blocking=False, memory_format=None, **options):
        return moved(input)

    def cpu(input):
        return input

    def xla(input, device=None):
        return input

    def float(input):
        return converted(input, "f32")

    def double(input):
        return converted(input, "f64")

    def half(input):
        return converted(input, "f16")

    def bfloat16(input):
        return converted(input, "bf16")

    def long(input):
        return converted(input, "s64")

    def int(input):
        return converted(input, "s32")

    def short(input):
        return converted(input, "s16")

    def byte(input):
        return converted(input, "u8")

    def char(input):
        return converted(input, "s8")

    def bool(input):
        return converted(input, "pred")

    # -- arithmetic

    def add(input, other, alpha=1):
        if alpha != 1:
            other = other * alpha
        return wrap(_op("onnx.Add", list(pair(input, other))))

    def sub(input, other, alpha=1):
        if alpha != 1:
            other = other * alpha
        return wrap(_op("onnx.Sub", list(pair(input, other))))

    def mul(input, other):
        return wrap(_op("onnx.Mul", list(pair(input, other))))

    def div(input, other, rounding_mode=None):
        if rounding_mode == "floor":
            return input.floor_divide(other)
        x, y = pair(input, other)
        if rounding_mode == "trunc":
            q = wrap(_op("onnx.Div", [x, y]))
            return q.trunc() if q.is_floating_point() else q
        return wrap(_op("onnx.Div", [_divisible(x), _divisible(y)]))

    def floor_divide(input, other):
        return wrap(_op("tw.binary", list(pair(input, other)), {"kind": "floor_divide"}))

    def remainder(input, other):
        x, y = pair(input, other)
        fmod = 0 if _tilewise.dtype(x)[0] in "su" else 1
        if fmod:
            return input - input.div(other).floor() * other
        return wrap(_op("onnx.Mod", [x, y], {"fmod": 0}))

    def fmod(input, other):
        return wrap(_op("onnx.Mod", list(pair(input, other)), {"fmod": 1}))

    def pow(input, exponent):
        if isinstance(exponent, (int, float)) and isinstance(input, Tensor):
            if exponent == 2:
                return wrap(_op("onnx.Mul", [input._h, input._h]))
            if exponent == 0.5:
                return input.sqrt()
            if exponent == -0.5:
                return input.rsqrt()
            if exponent == 1:
                return input
        return wrap(_op("onnx.Pow", list(pair(input, exponent))))

    def maximum(input, other):
        return wrap(_op("onnx.Max", list(pair(input, other))))

    def minimum(input, other):
        return wrap(_op("onnx.Min", list(pair(input, other))))

    fmax, fmin = maximum, minimum

    def atan2(input, other):
        return wrap(_op("tw.binary", list(pair(input, other)), {"kind": "atan2"}))

    def addcmul(input, tensor1, tensor2, value=1):
        return input + tensor1 * tensor2 * value

    def addcdiv(input, tensor1, tensor2, value=1):
        return input + tensor1 / tensor2 * value

    def lerp(input, end, weight):
        return input + (end - input) * weight

    def clamp(input, min=None, max=None):
        x = input
        if min is not None:
            x = x.maximum(min)
        return x if max is None else x.minimum(max)

    clip = clamp

    def clamp_min(input, min):
        return input.maximum(min)

    def clamp_max(input, max):
        return input.minimum(max)

    def square(input):
        return wrap(_op("onnx.Mul", [input._h, input._h]))

    def logit(input, eps=None):
        x = input if eps is None else input.clamp(eps, 1 - eps)
        return (x / (1 - x)).log()

    def logical_not(input):
        return wrap(_op("onnx.Not", [convert(input._h, "pred")]))

    def bitwise_not(input):
        if input.dtype is boolean:
            return wrap(_op("onnx.Not", [input._h]))
        return wrap(_op("onnx.BitwiseNot", [input._h]))

    def logical_and(input, other):
        return input.bool().bitwise_and(other.bool())

    def logical_or(input, other):
        return input.bool().bitwise_or(other.bool())

    def logical_xor(input, other):
        return input.bool().bitwise_xor(other.bool())

    def isfinite(input):
        return wrap(_op("tw.unary", [input._h], {"kind": "is_finite"}))

    def isclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
        return (input - other).abs() <= abs(other) * rtol + atol

    def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
        return input.isclose(other, rtol, atol).all().item()

    def equal(input, other):
        return input.eq(other).all().item()

    def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
        return wrap(_op("onnx.Where", [_op("onnx.IsNaN", [input._h]), handle(nan, input._h),
                                       input._h]))

    def masked_fill(input, mask, value):
        return wrap(_op("onnx.Where", [convert(mask._h, "pred"), handle(value, input._h),
                                       input._h]))

    def where(input, condition, other):
        return where(condition, input, other)

    # -- shape

    def reshape(input, *dims, shape=()):
        shape = dims or (shape,)
        return _on_host(input, wrap(reshaped(input._h, _filled(shape, input))))

    def view(input, *shape, size=()):
        shape = shape or (size,)
        if len(shape) == 1 and isinstance(shape[0], dtype):
            return _as_type(input, shape[0])
        return _on_host(input, wrap(reshaped(input._h, _filled(shape, input))))

    def view_as(input, other):
        return wrap(reshaped(input._h, other.shape))

    reshape_as = view_as

    def flatten(input, start_dim=0, end_dim=-1):
        s = list(input.shape)
        a, b = axis(start_dim, len(s)), axis(end_dim, len(s))
        if len(s) == 0:
            return input.reshape(1)
        if a == b:
            return input
        return wrap(reshaped(input._h, s[:a] + [math.prod(s[a:b + 1])] + s[b + 1:]))

    def ravel(input):
        return input.reshape(-1)

    def unflatten(input, dim, sizes):
        s, d = list(input.shape), axis(dim, input.dim())
        sizes, n = list(sizes), math.prod(sizes)
        sizes = [s[d] // -n if k == -1 else k for k in sizes]
        return wrap(reshaped(input._h, s[:d] + sizes + s[d + 1:]))

    def unsqueeze(input, dim):
        s = list(input.shape)
        s.insert(axis(dim, len(s) + 1), 1)
        return _on_host(input, wrap(reshaped(input._h, s)))

    def squeeze(input, dim=None):
        s = input.shape
        gone = axes(dim, len(s))
        kept = [n for d, n in enumerate(s) if n != 1 or d not in gone]
        return wrap(reshaped(input._h, kept))

    def permute(input, *order, dims=()):
        rank = input.dim()
        order = [axis(d, rank) for d in _tilewise.dims(order or dims)]
        return wrap(transposed(input._h, order))

    def transpose(input, dim0, dim1):
        order = list(range(input.dim()))
        a, b = axis(dim0, len(order)), axis(dim1, len(order))
        order[a], order[b] = b, a
        return wrap(transposed(input._h, order))

    swapaxes = swapdims = transpose

    def t(input):
        return input.transpose(0, 1) if input.dim() > 1 else input

    def movedim(input, source, destination):
        rank = input.dim()
        src, dst = axes(source, rank), axes(destination, rank)
        order = [d for d in range(rank) if d not in src]
        for d, s in sorted(zip(dst, src)):
            order.insert(d, s)
        return wrap(transposed(input._h, order))

    moveaxis = movedim

    def expand(input, *shape, size=(), implicit=False):
        have, want = input.shape, _tilewise.dims(shape or size)
        first = len(want) - len(have)
        full = [have[i - first] if n == -1 else n for i, n in enumerate(want)]
        return wrap(expanded(input._h, full))

    def expand_as(input, other):
        return wrap(expanded(input._h, other.shape))

    def broadcast_to(input, size):
        return input.expand(*size)

    def repeat(input, *counts, repeats=()):
        counts = _tilewise.dims(counts or repeats)
        h, first = input._h, len(counts) - input.dim()
        if first > 0:
            h = reshaped(h, [1] * first + list(input.shape))
        if all([n == 1 for n in counts]):
            return wrap(h)
        return wrap(_op("onnx.Tile", [h, _known(counts, "s64")]))

    def tile(input, *counts, dims=()):
        counts = _tilewise.dims(counts or dims)
        return input.repeat(*([1] * (input.dim() - len(counts)) + counts))

    def repeat_interleave(input, repeats, dim=None, output_size=None):
        if isinstance(repeats, Tensor):
            counts = _tilewise.numbers(repeats._h)
            if counts is None:
                _tilewise.record("dynamic", what="repeat_interleave")
                return input
            if not isinstance(counts, list):
                counts = [counts]
            x = input.flatten() if dim is None else input
            if len(counts) == 1:
                return x.repeat_interleave(counts[0], 0 if dim is None else dim)
            rows = [i for i, n in enumerate(counts) for _ in range(n)]
            return x.index_select(0 if dim is None else dim, tensor(rows))
        x, d = (input.flatten(), 0) if dim is None else (input, axis(dim, input.dim()))
        s = list(x.shape)
        wide = s[:d + 1] + [repeats] + s[d + 1:]
        dims = [i for i in range(len(wide)) if i != d + 1]
        h = _op("tw.broadcast_in_dim", [x._h], {"shape": wide, "dims": dims})
        return wrap(reshaped(h, s[:d] + [s[d] * repeats] + s[d + 1:]))

    def roll(input, shifts, dims=None):
        if dims is None:
            return input.flatten().roll(shifts, 0).reshape(input.shape)
        shifts = [shifts] if isinstance(shifts, int) else list(shifts)
        x = input
        for shift, d in zip(shifts, axes(dims, input.dim())):
            n = x.shape[d]
            k = shift % n if n else 0
            if k and d == 0 and _tilewise.numbers(x._h) is None:
                # The first dim is the batch mostly, which slices would hide.
                x = wrap(_op("tw.rotate", [x._h], {}))
            elif k:
                x = cat([x.narrow(d, n - k, k), x.narrow(d, 0, n - k)], d)
        return x

    def flip(input, *at, dims=()):
        at = [axis(d, input.dim()) for d in _tilewise.dims(at or dims)]
        return wrap(_op("tw.reverse", [input._h], {"dims": at}))

    def fliplr(input):
        return input.flip(1)

    def flipud(input):
        return input.flip(0)

    def rot90(input, k=1, dims=(0, 1)):
        a, b = dims
        for _ in range(k % 4):
            input = input.flip(b).transpose(a, b)
        return input

    def narrow(input, dim, start, length):
        s = list(input.shape)
        d = axis(dim, len(s))
        begin, start = [0] * len(s), int(start)
        begin[d] = start + s[d] if start < 0 else start
        if length == s[d]:
            return input
        s[d] = begin[d] + length
        return wrap(_op("tw.slice", [input._h],
                        {"starts": begin, "limits": s, "strides": [1] * len(s)}))

    def select(input, dim, index):
        return input[(slice(None),) * axis(dim, input.dim()) + (index,)]

    def split(input, split_size, dim=0):
        n = input.shape[dim]
        if isinstance(split_size, int):
            sizes = [min(split_size, n - i) for i in range(0, n, split_size)]
        else:
            sizes = list(split_size)
            if sum(sizes) != n:
                raise RuntimeError("split_with_sizes expects the sizes to sum to " + str(n))
        parts, start = [], 0
        for size in sizes:
            parts.append(input.narrow(dim, start, size))
            start += size
        return tuple(parts)

    split_with_sizes = split

    def chunk(input, chunks, dim=0):
        return input.split(-(-input.shape[dim] // chunks), dim)

    def tensor_split(input, indices_or_sections=None, dim=0, indices=None, sections=None):
        n = input.shape[dim]
        if indices_or_sections is None:
            indices_or_sections = sections if indices is None else indices
        if isinstance(indices_or_sections, int):
            k = indices_or_sections
            sizes = [n // k + (1 if i < n % k else 0) for i in range(k)]
        else:
            ends = [min(i, n) for i in indices_or_sections] + [n]
            sizes = [b - a for a, b in zip([0] + ends[:-1], ends)]
        return input.split(sizes, dim)

    def unbind(input, dim=0):
        s = list(input.shape)
        d = axis(dim, len(s))
        rest = s[:d] + s[d + 1:]
        return tuple([wrap(reshaped(input.narrow(d, i, 1)._h, rest)) for i in range(s[d])])

    def unfold(input, dimension, size, step):
        d = axis(dimension, input.dim())
        n = (input.shape[d] - size) // step + 1
        rows = [[i * step + j for j in range(size)] for i in range(n)]
        return wrap(_op("onnx.Gather", [input._h, _known(rows, "s64")], {"axis": d})) \
            .movedim(d + 1, -1)

    def diagonal(input, offset=0, dim1=0, dim2=1):
        rank = input.dim()
        a, b = axis(dim1, rank), axis(dim2, rank)
        x = input.movedim((a, b), (0, 1))
        rows, columns = x.shape[0], x.shape[1]
        n = min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns)
        index = [[i - min(offset, 0), i + max(offset, 0)] for i in range(n)]
        return wrap(_op("onnx.GatherND", [x._h, _known(index, "s64")])).movedim(0, -1)

    def trace(input):
        return input.diagonal().sum()

    def diag(input, diagonal=0):
        if input.dim() == 2:
            return input.diagonal(diagonal)
        n = input.shape[0] + abs(diagonal)
        return wrap(_op("onnx.Mul", [expanded(input._h, [n, n]),
                                     eye(n, dtype=input.dtype)._h]))

    def diag_embed(input, offset=0, dim1=-2, dim2=-1):
        n = input.shape[-1]
        return input.unsqueeze(-1) * eye(n, dtype=input.dtype)

    def tril(input, diagonal=0):
        return wrap(_op("onnx.Trilu", [input._h, _known(diagonal, "s64")], {"upper": 0}))

    def triu(input, diagonal=0):
        return wrap(_op("onnx.Trilu", [input._h, _known(diagonal, "s64")], {"upper": 1}))

    # -- choosing

    def __getitem__(self, index):
        shape = _tilewise.shape(self._h)
        place = _Place(shape, index)
        h = self._h
        if not place.whole:
            h = _op("tw.slice", [h], {"starts": place.starts, "limits": place.limits,
                                      "strides": place.strides})
        if tuple(_tilewise.shape(h)) != tuple(place.shape):
            h = reshaped(h, place.shape)
        x = wrap(h)
        if place.tensors:
            return _indexed(x, place.tensors)
        x._base = (self, index)
        if self._host:
            x._host = True
        return x

    def __setitem__(self, index, value):
        x = self._h
        shape, code = list(_tilewise.shape(x)), _tilewise.dtype(x)
        y = convert(handle(value, x), code)
        known = _with_number(x, shape, index, y)
        if known is not None:
            return self._write(tensor(known, dtype=self.dtype))
        place = _Place(shape, index)
        if len(place.tensors) == 1 and place.tensors[0][1].dtype is boolean and place.whole:
            at, mask = place.tensors[0]
            if at == 0 and list(mask.shape) != shape and mask.numel() == math.prod(shape):
                mask = mask.reshape(shape)  # the first versions took masks of as many elements
            m = reshaped(mask._h, list(mask.shape) + [1] * (len(shape) - at - mask.dim()))
            if len(_tilewise.shape(y)) > 0 and _tilewise.numbers(mask._h) is None:
                _tilewise.record("dynamic", what="boolean mask")
                y = reshaped(_op("onnx.ReduceMax", [y], {"keepdims": 0}), [])
            return self._write(wrap(_op("onnx.Where", [m, y, x])))
        if place.tensors:
            return self._write(_scattered(self, place, y))
        y = expanded(_fit(y, place.shape), place.shape)
        kept = [(b - a + s - 1) // s for a, b, s in
                zip(place.starts, place.limits, place.strides)]
        y = reshaped(y, kept)
        if place.whole:
            return self._write(wrap(y))
        if all([s == 1 for s in place.strides]):
            starts = [_known(a, "s32") for a in place.starts]
            return self._write(wrap(_op("tw.dynamic_update_slice", [x, y] + starts)))
        low = place.starts
        interior = [s - 1 for s in place.strides]
        high = [n - a - (k - 1) * s - 1 for n, a, k, s in
                zip(shape, low, kept, place.strides)]
        spread = {"low": low, "high": high, "interior": interior}
        y = _op("tw.pad", [y], dict(spread, value=0.0))
        mask = _op("tw.pad", [_tilewise.full(True, kept, "pred")], dict(spread, value=0))
        self._write(wrap(_op("onnx.Where", [mask, y, x])))

    def _write(self, new):
        self._set(new)

    def index_select(input, dim, index):
        return wrap(_op("onnx.Gather", [input._h, index._h], {"axis": axis(dim, input.dim())}))

    def gather(input, dim, index, sparse_grad=False):
        if _tilewise.is_unknown(index):
            return index
        h = index._h
        if index.dtype.is_floating_point:  # numbers of a kind that is not known
            h = convert(h, "s64")
        at = axis(dim, input.dim())
        if _compares(input, index, at):
            places = arange(input.shape[at]).reshape([-1] + [1] * (input.dim() - at))
            picks = wrap(h).unsqueeze(at) == places
            return where(picks, input.unsqueeze(at + 1), 0).sum(at)
        return wrap(_op("onnx.GatherElements", [input._h, h], {"axis": at}))

    def take_along_dim(input, indices, dim):
        return input.gather(dim, indices)

    def take(input, index):
        return wrap(_op("onnx.Gather", [input.flatten()._h, index._h], {"axis": 0}))

    def scatter(input, dim, index, src=None, reduce=None, value=None):
        src = value if src is None else src
        h = handle(src, input._h)
        if not isinstance(src, Tensor):
            h = expanded(h, index.shape)
        kind = {"add": "add", "multiply": "mul"}.get(reduce, "none")
        return wrap(_op("onnx.ScatterElements", [input._h, index._h, h],
                        {"axis": axis(dim, input.dim()), "reduction": kind}))

    def scatter_add(input, dim, index, src):
        return input.scatter(dim, index, src, "add")

    def scatter_reduce(input, dim, index, src, reduce, include_self=True):
        kind = {"sum": "add", "mean": "add", "prod": "mul", "amax": "max", "amin": "min"}[reduce]
        return wrap(_op("onnx.ScatterElements", [input._h, index._h, src._h],
                        {"axis": axis(dim, input.dim()), "reduction": kind}))

    def index_add(input, dim, index, source, alpha=1):
        return _index_put(input, dim, index, source, "add")

    def index_copy(input, dim, index, source):
        return _index_put(input, dim, index, source, "none")

    def index_fill(input, dim, index, value):
        shape = list(input.shape)
        shape[axis(dim, len(shape))] = index.shape[0]
        return _index_put(input, dim, index, full(shape, value, dtype=input.dtype), "none")

    def index_put(input, indices, values, accumulate=False):
        place = _Place(input.shape, tuple(indices))
        return _scattered(input, place, handle(values, input._h), "add" if accumulate else "none")

    def masked_select(input, mask):
        return _masked(input.expand(broadcast(input.shape, mask.shape)), 0,
                       mask.expand(broadcast(input.shape, mask.shape)))

    def masked_scatter(input, mask, source):
        x = input
        return wrap(_op("onnx.Where", [mask._h, expanded(
            reshaped(source.flatten().narrow(0, 0, 1)._h, [1] * x.dim()), x.shape), x._h]))

    def nonzero(input, as_tuple=False):
        numbers = _tilewise.numbers(input._h)
        if numbers is not None and input.dim() == 1:
            rows = [[i] for i, n in enumerate(numbers) if n]
            result = wrap(_known(rows, "s64")) if rows else zeros(0, 1, dtype=int64)
        else:
            _tilewise.record("dynamic", what="nonzero")
            n = input.numel()
            flat = _op("tw.iota", [], {"shape": [n, input.dim()], "dim": 0, "dtype": "s64"})
            result = wrap(flat)
        return result.unbind(1) if as_tuple else result

    # -- reductions

    def sum(input, dim=None, keepdim=False, dtype=None):
        x = input._h
        if dtype is not None:
            x = convert(x, code_of(dtype))
        elif _tilewise.dtype(x) not in _FLOATS and _tilewise.dtype(x)[0] != "c":
            x = convert(x, "s64")
        return _reduced(x, "sum", dim, keepdim)

    def mean(input, dim=None, keepdim=False, dtype=None):
        x = input._h if dtype is None else convert(input._h, code_of(dtype))
        return _reduced(x, "mean", dim, keepdim)

    nansum, nanmean = sum, mean

    def prod(input, dim=None, keepdim=False, dtype=None):
        return _reduced(input._h, "product", dim, keepdim)

    def amax(input, dim=None, keepdim=False):
        return _reduced(input._h, "max", dim, keepdim)

    def amin(input, dim=None, keepdim=False):
        return _reduced(input._h, "min", dim, keepdim)

    def max(input, dim=None, keepdim=False):
        return _extreme(input, "max", dim, keepdim)

    def min(input, dim=None, keepdim=False):
        return _extreme(input, "min", dim, keepdim)

    def median(input, dim=None, keepdim=False):
        if dim is None:
            x = input.flatten().sort()[0]
            return x[(x.shape[0] - 1) // 2]
        values, indices = input.sort(dim)
        at = (values.shape[dim] - 1) // 2
        if keepdim:
            return Named(values.narrow(dim, at, 1), indices.narrow(dim, at, 1))
        return Named(values.select(dim, at), indices.select(dim, at))

    def all(input, dim=None, keepdim=False):
        return _reduced(convert(input._h, "pred"), "all", dim, keepdim)

    def any(input, dim=None, keepdim=False):
        return _reduced(convert(input._h, "pred"), "any", dim, keepdim)

    def argmax(input, dim=None, keepdim=False):
        return _argument(input, "max", dim, keepdim)

    def argmin(input, dim=None, keepdim=False):
        return _argument(input, "min", dim, keepdim)

    def count_nonzero(input, dim=None):
        return (input != 0).sum(dim)

    def var(input, dim=None, unbiased=True, keepdim=False, correction=None):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        less = (1 if unbiased else 0) if correction is None else correction
        v = _reduced(input._h, "variance", dim, keepdim)
        n = math.prod([input.shape[d] for d in axes(dim, input.dim())])
        return v * (n / max(n - less, 1)) if less and not _tilewise.is_unknown(v) else v

    def std(input, dim=None, unbiased=True, keepdim=False, correction=None):
        return input.var(dim, unbiased, keepdim, correction).sqrt()

    def var_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
        return (input.var(dim, unbiased, keepdim, correction), input.mean(dim, keepdim))

    def std_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
        return (input.std(dim, unbiased, keepdim, correction), input.mean(dim, keepdim))

    def norm(input, p=2, dim=None, keepdim=False, dtype=None):
        x = input if dtype is None else converted(input, code_of(dtype))
        if p == 2 or p == "fro" or p is None:
            return _reduced(x._h, "l2", dim, keepdim)
        if p == 1:
            return x.abs().sum(dim, keepdim)
        if p == math.inf:
            return x.abs().amax(dim, keepdim)
        return x.abs().pow(p).sum(dim, keepdim).pow(1 / p)

    def logsumexp(input, dim, keepdim=False):
        return _reduced(input._h, "logsumexp", dim, keepdim)

    def cumsum(input, dim, dtype=None):
        return _running(input, "sum", dim, dtype)

    def cumprod(input, dim, dtype=None):
        return _running(input, "product", dim, dtype)

    def diff(input, n=1, dim=-1):
        for _ in range(n):
            size = input.shape[dim]
            input = input.narrow(dim, 1, size - 1) - input.narrow(dim, 0, size - 1)
        return input

    def cummax(input, dim):
        return Named(_running(input, "max", dim, None), zeros(input.shape, dtype=int64))

    def cummin(input, dim):
        return Named(_running(input, "min", dim, None), zeros(input.shape, dtype=int64))

    def sort(input, dim=-1, descending=False, stable=False):
        d, s = axis(dim, input.dim()), list(input.shape)
        at = _op("tw.iota", [], {"shape": s, "dim": d, "dtype": "s64"})
        return Named(*wraps(_op("tw.sort", [input._h, at],
                                {"dim": d, "descending": descending}, outputs=2)))

    def argsort(input, dim=-1, descending=False, stable=False):
        return input.sort(dim, descending).indices

    def topk(input, k, dim=-1, largest=True, sorted=True):
        return Named(*wraps(_op("onnx.TopK", [input._h, _known([k], "s64")],
                                {"axis": axis(dim, input.dim()), "largest": int(largest)},
                                outputs=2)))

    def kthvalue(input, k, dim=-1, keepdim=False):
        values, indices = input.sort(dim)
        return Named(values.select(dim, k - 1), indices.select(dim, k - 1))

    def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
        numbers = _tilewise.numbers(input._h)
        if numbers is not None:
            flat, code = _flat(numbers), _tilewise.dtype(input._h)
            found = list(set(flat))
            found.sort()
            values = wrap(_known(found, code))
            inverse = [found.index(v) for v in flat] if return_inverse else []
            counts = [flat.count(v) for v in found] if return_counts else []
            extra = [tensor(inverse).reshape(input.shape)] if return_inverse else []
            extra += [tensor(counts)] if return_counts else []
            return tuple([values] + extra) if extra else values
        _tilewise.record("dynamic", what="unique")
        values = input.flatten().sort()[0]
        extra = [zeros(input.shape, dtype=int64)] if return_inverse else []
        extra += [ones(values.shape, dtype=int64)] if return_counts else []
        return tuple([values] + extra) if extra else values

    def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
        numbers = _tilewise.numbers(input._h)
        if numbers is None or dim is not None:
            return input.unique(True, return_inverse, return_counts, dim)
        found, inverse, counts = [], [], []
        for v in _flat(numbers):
            if not found or found[-1] != v:
                found.append(v)
                counts.append(0)
            counts[-1] += 1
            inverse.append(len(found) - 1)
        values = wrap(_known(found, _tilewise.dtype(input._h)))
        extra = [tensor(inverse).reshape(input.shape)] if return_inverse else []
        extra += [tensor(counts)] if return_counts else []
        return tuple([values] + extra) if extra else values

    def bincount(input, weights=None, minlength=0):
        return _index_put(zeros(max(minlength, 1), dtype=int64), 0, input,
                          ones(input.shape, dtype=int64), "add")

    def multinomial(input, num_samples, replacement=False, generator=None):
        x = input.log() if input.dim() == 2 else input.log().unsqueeze(0)
        chosen = _op("onnx.Multinomial", [x._h], {"sample_size": num_samples, "dtype": 7})
        return wrap(chosen) if input.dim() == 2 else wrap(chosen).squeeze(0)

    def bernoulli(input, p=None, generator=None):
        return converted(random_like(input, "uniform") < (input if p is None else p),
                         _tilewise.dtype(input._h))

    # -- matrices

    def matmul(input, other):
        x, y = cast(input._h), cast(other._h)
        if _tilewise.dtype(x) != _tilewise.dtype(y):
            x, y = pair(wrap(x), wrap(y))
        return wrap(_op("onnx.MatMul", [x, y]))

    mm = bmm = mv = matmul

    def dot(input, other):
        return input.matmul(other)

    inner = dot

    def outer(input, vec2):
        return input.unsqueeze(1) * vec2.unsqueeze(0)

    ger = outer

    def addmm(input, mat1, mat2, beta=1, alpha=1):
        product = mat1.matmul(mat2)
        if alpha != 1:
            product = product * alpha
        if beta == 0:
            return product
        return product + (input if beta == 1 else input * beta)

    baddbmm = addmv = addmm

    def softmax(input, dim=-1, dtype=None):
        return _softmax("onnx.Softmax", input, dim, dtype)

    def log_softmax(input, dim=-1, dtype=None):
        return _softmax("onnx.LogSoftmax", input, dim, dtype)

    def new(input, *data, device=None):
        if len(data) == 1 and not isinstance(data[0], int):
            size = isinstance(data[0], tuple)
            return zeros(*data[0], dtype=input.dtype) if size else tensor(data[0],
                                                                          dtype=input.dtype)
        return zeros(*(data or (0,)), dtype=input.dtype)

    def resize_as_(input, other, memory_format=None):
        return input.resize_(*other.shape)

    def storage(input):
        return input.flatten()

    untyped_storage = storage

    def new_zeros(input, *shape, dtype=None, device=None, requires_grad=False):
        return full_like(input, 0, shape=_tilewise.dims(shape), dtype=dtype)

    def new_ones(input, *shape, dtype=None, device=None, requires_grad=False):
        return full_like(input, 1, shape=_tilewise.dims(shape), dtype=dtype)

    new_empty = new_zeros

    def new_full(input, size, fill_value, dtype=None, device=None, requires_grad=False):
        return full_like(input, fill_value, shape=list(size), dtype=dtype)

    def new_tensor(input, data, dtype=None, device=None, requires_grad=False):
        return tensor(data, dtype=input.dtype if dtype is None else dtype)

    # -- operators

    def __neg__(self):
        return wrap(_op("onnx.Neg", [self._h]))

    def __pos__(self):
        return self

    def __abs__(self):
        return self.abs()

    def __invert__(self):
        return self.bitwise_not()

    def __truediv__(self, other):
        return self.div(other)

    def __rtruediv__(self, other):
        x, y = pair(other, self)
        return wrap(_op("onnx.Div", [_divisible(x), _divisible(y)]))

    def __rsub__(self, other):
        return wrap(_op("onnx.Sub", list(pair(other, self))))

    def __rpow__(self, other):
        return wrap(_op("onnx.Pow", list(pair(other, self))))

    def __rfloordiv__(self, other):
        return wrap(_op("tw.binary", list(pair(other, self)), {"kind": "floor_divide"}))

    def __rmatmul__(self, other):
        return other.matmul(self)

    def __iadd__(self, other):
        return self._set(self.add(other))

    def __isub__(self, other):
        return self._set(self.sub(other))

    def __imul__(self, other):
        return self._set(self.mul(other))

    def __itruediv__(self, other):
        return self._set(self.div(other))

    __add__ = __radd__ = add
    __sub__ = sub
    __mul__ = __rmul__ = mul
    __pow__ = pow
    __mod__ = remainder
    __floordiv__ = floor_divide
    __matmul__ = matmul
    true_divide = divide = div
    subtract, multiply = sub, mul
    absolute = __abs__
    float_power = pow

    negative = neg = __neg__


class Handle:
    """What a hook returns."""

    def remove(self):
        pass


_TYPE_NAMES = {"float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor",
               "bfloat16": "BFloat16Tensor", "int64": "LongTensor", "int32": "IntTensor",
               "int16": "ShortTensor", "uint8": "ByteTensor", "int8": "CharTensor",
               "bool": "BoolTensor"}


def _number(x, kind):
    value = x.item()
    return value if _tilewise.is_unknown(value) else kind(value)


def _divisible(h):
    return h if _tilewise.dtype(h) in _FLOATS or _tilewise.dtype(h)[0] == "c" else \
        convert(h, state.default.code)


def _filled(shape, x):
    shape = _tilewise.dims(shape)
    if -1 in shape:
        n = x.numel()
        rest = -math.prod(shape)
        shape[shape.index(-1)] = n // rest if rest else 0
    return shape


def _fit(h, shape):
    """Without the leading dims of one that `shape` does not have."""
    have = list(_tilewise.shape(h))
    while len(have) > len(shape) and have[0] == 1:
        have = have[1:]
    return reshaped(h, have) if len(have) != len(_tilewise.shape(h)) else h


def _index_put(x, dim, index, source, kind):
    d = axis(dim, x.dim())
    shape = list(source.shape)
    at = reshaped(index._h, [1] * d + [-1 if not index.dim() else index.shape[0]] +
                  [1] * (len(shape) - d - 1))
    return wrap(_op("onnx.ScatterElements", [x._h, expanded(at, shape), source._h],
                    {"axis": d, "reduction": kind}))


def _scattered(x, place, y, kind="none"):
    """x with y at the places that tensors, and whole slices or steps of one row, say."""
    shape = x.shape
    at = [a for a, _ in place.tensors]
    ends = [b - a for a, b in zip(place.starts, place.limits)]
    kept = list(ends)
    rows = []
    where_ = broadcast(*[t.shape for _, t in place.tensors])
    tensors = {a: t for a, t in place.tensors}
    # Single rows before the tensors become index columns of one number.
    columns, d_out = [], 0
    for d, n in enumerate(shape):
        if d_out in tensors and tensors[d_out] is not None and ends[d] == n:
            columns.append((d, expanded(convert(tensors[d_out]._h, "s64"), where_)))
            d_out += 1
        elif ends[d] == 1 and n != 1:
            columns.append((d, _tilewise.full(place.starts[d], where_, "s64")))
        else:
            d_out += 1
    dims = [d for d, _ in columns]
    order = dims + [d for d in range(len(shape)) if d not in dims]
    h = x._h if order == list(range(len(shape))) else transposed(x._h, order)
    index = _op("onnx.Concat", [reshaped(c, where_ + [1]) for _, c in columns],
                {"axis": len(where_)})
    rest = [shape[d] for d in order[len(dims):]]
    y = expanded(_fit(y, where_ + rest), where_ + rest)
    h = _op("onnx.ScatterND", [h, index, y], {"reduction": kind})
    if order != list(range(len(shape))):
        h = transposed(h, [order.index(d) for d in range(len(shape))])
    return wrap(h)


def _reduced(h, kind, dim, keepdim):
    if kind in ("mean", "variance", "l2", "logsumexp") and _tilewise.dtype(h)[0] in "pus":
        raise RuntimeError("the result needs a floating point type")
    dims = axes(dim, len(_tilewise.shape(h)))
    return wrap(_op("tw.reduce", [h], {"kind": kind, "dims": dims, "keep": keepdim}))


def _argument(x, kind, dim, keepdim):
    if dim is None:
        x, dim = x.flatten(), 0
    return wrap(_op("tw.arg_reduce", [x._h], {"kind": kind, "dim": axis(dim, x.dim()),
                                              "keep": keepdim, "dtype": "s64"}))


def _extreme(x, kind, dim, keepdim):
    if dim is None:
        return _reduced(x._h, kind, None, False)
    if isinstance(dim, Tensor) or _tilewise.is_unknown(dim):
        return x.maximum(dim) if kind == "max" else x.minimum(dim)
    return Named(_reduced(x._h, kind, dim, keepdim), _argument(x, kind, dim, keepdim))


def _running(x, kind, dim, to):
    h = x._h if to is None else convert(x._h, code_of(to))
    if _tilewise.dtype(h) in ("pred", "u8", "s8", "s16", "s32") and kind in ("sum", "product"):
        h = convert(h, "s64")
    known = x.dim() == 1 and kind in ("sum", "product")
    numbers = _tilewise.numbers(h) if known else None
    if numbers is not None:
        for i in range(1, len(numbers)):
            numbers[i] = numbers[i - 1] + numbers[i] if kind == "sum" else numbers[i - 1] * numbers[i]
        return wrap(_known(numbers, _tilewise.dtype(h)))
    return wrap(_op("tw.cumulative", [h], {"kind": kind, "dim": axis(dim, x.dim()),
                                           "reverse": False}))


def _softmax(name, x, dim, to):
    h = cast_up(x._h) if to is None else convert(x._h, code_of(to))
    return wrap(_op(name, [h], {"axis": axis(-1 if dim is None else dim, x.dim())}))


# Functions of one operand. Those of the second table do not take integers.
def _unary_method(name, attrs, floats):
    def method(input):
        h = to_float(input._h) if floats else input._h
        return wrap(_op(name, [h], attrs))
    return method


for _name, _onnx in {"abs": "Abs", "sign": "Sign", "isnan": "IsNaN", "isinf": "IsInf",
                     "relu": "Relu"}.items():
    setattr(Tensor, _name, _unary_method("onnx." + _onnx, {}, False))
for _name, _onnx in {
        "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "sin": "Sin", "cos": "Cos", "tan": "Tan",
        "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh",
        "tanh": "Tanh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "erf": "Erf",
        "sigmoid": "Sigmoid", "reciprocal": "Reciprocal", "softplus": "Softplus",
        "arctan": "Atan", "arcsin": "Asin", "arccos": "Acos", "selu": "Selu"}.items():
    setattr(Tensor, _name, _unary_method("onnx." + _onnx, {}, True))
for _name in ("rsqrt", "erfinv", "erfc", "log1p", "expm1"):
    setattr(Tensor, _name, _unary_method("tw.unary", {"kind": _name}, True))


def _rounding_method(name):
    def method(input, decimals=0):
        if _tilewise.dtype(input._h) not in _FLOATS:
            return input
        return wrap(_op(name, [input._h]))
    return method


for _name in ("floor", "ceil", "round"):
    setattr(Tensor, _name, _rounding_method("onnx." + _name.capitalize()))
Tensor.digamma = Tensor.lgamma = Tensor.log
Tensor.trunc = Tensor.fix = lambda input: input.sign() * input.abs().floor()
Tensor.frac = lambda input: input - input.trunc()
Tensor.log2 = lambda input: input.log() * (1 / math.log(2))
Tensor.log10 = lambda input: input.log() * (1 / math.log(10))
Tensor.exp2 = lambda input: (input * math.log(2)).exp()
Tensor.deg2rad = lambda input: input * (math.pi / 180)
Tensor.sgn = Tensor.sign
Tensor.conj = lambda input: input


def _compare_method(name, negated):
    def method(self, other):
        if other is None or isinstance(other, str):
            return negated
        h = _op(name, list(pair(self, other)))
        return wrap(_op("onnx.Not", [h]) if negated else h)
    return method


for _name, _long, _onnx, _negated in (
        ("eq", "equal_to", "Equal", False), ("ne", "not_equal", "Equal", True),
        ("lt", "less", "Less", False), ("le", "less_equal", "LessOrEqual", False),
        ("gt", "greater", "Greater", False), ("ge", "greater_equal", "GreaterOrEqual", False)):
    for _alias in (_name, _long, "__" + _name + "__"):
        setattr(Tensor, _alias, _compare_method("onnx." + _onnx, _negated))


def _bit_method(logical, bitwise):
    def method(input, other):
        x, y = pair(input, other)
        return wrap(_op(logical if _tilewise.dtype(x) == "pred" else bitwise, [x, y]))
    return method


for _name, _onnx in (("and", "And"), ("or", "Or"), ("xor", "Xor")):
    for _alias in ("bitwise_" + _name, "__" + _name + "__", "__r" + _name + "__"):
        setattr(Tensor, _alias, _bit_method("onnx." + _onnx, "onnx.Bitwise" + _onnx))
    setattr(Tensor, "__i" + _name + "__", getattr(Tensor, "__" + _name + "__"))


# Names of numpy for the parameters `dim` and `keepdim`.
def _also_axis(method):
    def called(*args, **kwargs):
        if kwargs:
            if "axis" in kwargs:
                kwargs["dim"] = kwargs.pop("axis")
            if "keepdims" in kwargs:
                kwargs["keepdim"] = kwargs.pop("keepdims")
        return method(*args, **kwargs)
    return called


for _name in ("sum", "mean", "prod", "max", "min", "amax", "amin", "argmax", "argmin", "all", "any",
              "var", "std", "norm", "cumsum", "cumprod", "logsumexp", "softmax", "squeeze",
              "unsqueeze", "split", "chunk", "unbind", "sort", "argsort", "topk"):
    setattr(Tensor, _name, _also_axis(getattr(Tensor, _name)))


# ---- making tensors

_ROW = 128  # numbers in a row of a length that is not known, where sizes are assumed


def tensor(data, dtype=None, device=None, requires_grad=False, pin_memory=False):
    if isinstance(data, Tensor):
        x = wrap(data._h)
    elif hasattr(data, "_t"):
        # An array of the host gets its new type there.
        x = data._t if dtype is None or type(data).__name__ != "ndarray" else \
            data.astype(dtype)._t
    elif _tilewise.is_unknown(data):
        return data
    elif hasattr(data, "to_dense"):  # a sparse matrix beside a dense one
        x = data.to_dense()
    else:
        if not isinstance(data, (int, float, complex, str)) and hasattr(data, "popleft"):
            data = list(data)
        if isinstance(data, (list, tuple, range)):
            if type(data) is not list and type(data) is not tuple:
                data = list(data)
            if len(data) and hasattr(data[0], "_t") and _tilewise.numbers(data[0]._t._h) is None:
                x = stack([v._t if hasattr(v, "_t") else tensor(v) for v in data])
                return x if dtype is None else converted(x, code_of(dtype))
            kinds, first = _kinds(data), None
            if kinds is None:
                data = _plain(data)
                first = _flat(data)
                if any([isinstance(v, Tensor) for v in first]):
                    x = stack([tensor(v) for v in data])
                    return x if dtype is None else converted(x, code_of(dtype))
                kinds = set([type(v) for v in first if not _tilewise.is_unknown(v)])
                if any([_tilewise.is_unknown(v) for v in first]):
                    first = []
            kind = 3 if complex in kinds else 2 if float in kinds or not kinds else \
                1 if int in kinds else 0
        else:
            first = [data]
            kind = 2 if isinstance(data, float) else 0 if isinstance(data, bool) else \
                3 if isinstance(data, complex) else 1
        if dtype is None:
            code = ("pred", "s64", state.default.code, "c64")[kind]
        else:
            code = code_of(dtype)
        shape, part, counted = [], data, True
        while isinstance(part, (list, tuple, range)):
            counted = counted and _tilewise.open_count(part) is None
            shape.append(_tilewise.size_or(_tilewise.part_size(part) or len(part), _ROW))
            part = part[0] if part else None
        if not counted or first is None or len(first) == 0 or len(first) > 4096:
            known = counted and first is None and math.prod(shape) <= 4096
            x = wrap(_tilewise.full(0, shape, code) if 0 in shape else _known(data, code) if known
                     else _tilewise.input(shape, code, "", None))
        else:
            x = wrap(_known(data, code))
        if requires_grad:
            x.requires_grad = True
        return x
    if dtype is not None:
        x = converted(x, code_of(dtype))
    if requires_grad:
        x.requires_grad = True
    return x


_NUMBERS, _LISTS = {int, float, bool, complex}, {list, tuple}


def _kinds(data):
    """The types of the numbers in nested lists; None where these hold something else."""
    rows = _tilewise.closed(data, False)
    found = set([type(v) for v in rows])
    if _tilewise.is_unknown(found <= _NUMBERS):  # one of them is not known
        return None
    if found <= _NUMBERS:
        return found
    if not found <= _LISTS:
        return None
    inner = [_kinds(row) for row in rows]
    return None if None in inner else set().union(*inner)


def _plain(data):
    return [_plain_one(v) for v in data]


def _plain_one(v):
    if _tilewise.is_unknown(v):
        return v
    if isinstance(v, (list, tuple, range)):
        return _plain(v)
    if hasattr(v, "_t"):
        return v._t.tolist()
    if isinstance(v, Tensor) and v.numel() == 1 and _tilewise.numbers(v._h) is not None:
        return v.item()
    return v


def _same(number, shape, code):
    """A constant. Of a few numbers the values are kept, as programs read them back."""
    if _tilewise.is_unknown(number):
        return wrap(expanded(_scalar(code), shape))
    if len(shape) < 2 and (len(shape) == 0 or 0 < shape[0] <= 64):
        return wrap(_known([number] * shape[0] if shape else number, code))
    return wrap(_tilewise.full(number, shape, code))


def full(size, fill_value, out=None, dtype=None, layout=None, device=None, requires_grad=False,
         pin_memory=False, memory_format=None):
    shape = _tilewise.dims((size,))
    if dtype is None and not isinstance(fill_value, float):
        dtype = boolean if isinstance(fill_value, bool) else int64
    if isinstance(fill_value, Tensor):
        return wrap(expanded(fill_value._h, shape))
    x = _same(fill_value, shape, code_of(dtype))
    if requires_grad:
        x.requires_grad = True
    return x


def zeros(*shape, size=(), out=None, dtype=None, layout=None, device=None, requires_grad=False,
          pin_memory=False, memory_format=None):
    x = _same(0, _tilewise.dims(shape or size), code_of(dtype))
    if requires_grad:
        x.requires_grad = True
    return x


empty = zeros


def ones(*shape, size=(), out=None, dtype=None, layout=None, device=None, requires_grad=False,
         pin_memory=False, memory_format=None):
    x = _same(1, _tilewise.dims(shape or size), code_of(dtype))
    if requires_grad:
        x.requires_grad = True
    return x


def full_like(input, fill_value, shape=None, dtype=None, **rest):
    code = _tilewise.dtype(input._h) if dtype is None else code_of(dtype)
    return _same(fill_value, list(input.shape) if shape is None else shape, code)


def zeros_like(input, dtype=None, **rest):
    return full_like(input, 0, dtype=dtype)


def ones_like(input, dtype=None, **rest):
    return full_like(input, 1, dtype=dtype)


empty_like = zeros_like


def empty_strided(size, stride, **options):
    return zeros(*size, dtype=options.get("dtype"))


def random(kind, shape, code, requires_grad=False):
    attrs = {"kind": kind, "shape": shape, "dtype": code}
    if len(shape) == 1 and shape[0] <= 64 and kind == "uniform":
        # Programs decide by a few such numbers on the host; the mean stands for them.
        x = wrap(_known([0.5] * shape[0], code)) if shape[0] else zeros(0)
    elif len(shape) > 0 and 0 in shape:
        x = wrap(_tilewise.full(0, shape, code))
    else:
        x = wrap(_op("tw.random", [], attrs))
    if requires_grad:
        x.requires_grad = True
    return x


def random_like(input, kind):
    return random(kind, list(input.shape), _tilewise.dtype(input._h))


def randn(*shape, size=(), out=None, generator=None, dtype=None, layout=None, device=None,
          requires_grad=False, pin_memory=False):
    return random("normal", _tilewise.dims(shape or size), code_of(dtype), requires_grad)


def rand(*shape, size=(), out=None, generator=None, dtype=None, layout=None, device=None,
         requires_grad=False, pin_memory=False):
    return random("uniform", _tilewise.dims(shape or size), code_of(dtype), requires_grad)


def rand_like(input, dtype=None, **rest):
    return random("uniform", list(input.shape),
                  _tilewise.dtype(input._h) if dtype is None else code_of(dtype))


def randn_like(input, dtype=None, **rest):
    return random("normal", list(input.shape),
                  _tilewise.dtype(input._h) if dtype is None else code_of(dtype))


def randint(low, high=None, size=None, generator=None, dtype=None, device=None,
            requires_grad=False, **rest):
    if isinstance(high, (tuple, list)):
        size = high
    code = "s64" if dtype is None else code_of(dtype)
    if len(size) == 1 and size[0] <= 64:
        first = 0 if high is None or isinstance(high, (tuple, list)) else low
        return wrap(_known([first] * size[0], code))
    return random("bits", list(size), code)


def randint_like(input, low, high=None, dtype=None, **rest):
    return randint(low, high, input.shape, dtype=dtype)


class _Permutation(Tensor):
    """Whole numbers in an order that does not matter; read one by one they are in order."""

    @staticmethod
    def _made(start, n, code):
        x = _Permutation.__new__(_Permutation)
        x._h, x._start = random("bits", [n], code)._h, start
        return x

    def __getitem__(self, index):
        n = self.shape[0]
        if isinstance(index, int) and not _tilewise.is_unknown(index) and -n <= index < n:
            return wrap(_known(self._start + index % n, _tilewise.dtype(self._h)))
        if isinstance(index, slice) and index.step is None:
            start, stop, _ = _bounds(index, n)
            if stop > start:
                return _Permutation._made(self._start + start, stop - start,
                                          _tilewise.dtype(self._h))
        return Tensor.__getitem__(self, index)

    def tolist(self):
        return list(range(self._start, self._start + self.shape[0]))


def randperm(n, generator=None, dtype=None, device=None, **rest):
    if _tilewise.is_unknown(n):
        return n
    return _Permutation._made(0, n, "s64" if dtype is None else code_of(dtype))


def normal(mean=0.0, std=1.0, size=None, generator=None, dtype=None, device=None):
    if size is not None:
        return randn(*size, dtype=dtype) * std + mean
    like = mean if isinstance(mean, Tensor) else std
    return randn_like(like) * std + mean


def arange(start, end=None, step=1, out=None, dtype=None, layout=None, device=None,
           requires_grad=False, **rest):
    if end is None:
        start, end = 0, start
    start, end, step = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)]
    if _tilewise.is_unknown(end) or _tilewise.is_unknown(start):
        return _tilewise.unknown("a range whose length is not known")
    whole = not any([isinstance(v, float) for v in (start, end, step)])
    code = code_of(dtype) if dtype is not None else "s64" if whole else state.default.code
    n = max(0, math.ceil((end - start) / step))
    if n == 0:
        return wrap(_tilewise.full(0, [0], code))
    if n <= 4096:
        return wrap(_known([start + i * step for i in range(n)], code))
    x = wrap(_op("tw.iota", [], {"shape": [n], "dim": 0, "dtype": code}))
    if step != 1:
        x = x * step
    return x + start if start != 0 else x


def range_(start, end=None, step=1, **options):
    return arange(start, end + step, step, **options)


def linspace(start, end, steps=100, out=None, dtype=None, device=None, requires_grad=False,
             **rest):
    start, end = [v.item() if isinstance(v, Tensor) else v for v in (start, end)]
    code = code_of(dtype)
    step = (end - start) / max(steps - 1, 1)
    if steps <= 4096:
        if steps == 0:
            return wrap(_tilewise.full(0, [0], code))
        return wrap(_known([start + i * step for i in range(steps)], code))
    return wrap(_op("tw.iota", [], {"shape": [steps], "dim": 0, "dtype": code})) * step + start


def logspace(start, end, steps=100, base=10.0, dtype=None, **rest):
    return tensor([base ** (start + i * (end - start) / max(steps - 1, 1)) for i in range(steps)],
                  dtype=dtype)


def eye(n, m=None, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    m = n if m is None else m
    if n * m <= 4096:
        return wrap(_known([[1 if i == j else 0 for j in range(m)] for i in range(n)],
                           code_of(dtype)))
    return wrap(_op("tw.eye", [], {"shape": [n, m], "dtype": code_of(dtype)}))


def from_numpy(array):
    return array._t if hasattr(array, "_t") else tensor(array)


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, Tensor):
        return data if dtype is None else converted(data, code_of(dtype))
    return tensor(data, dtype=dtype)


asarray = as_tensor


def scalar_tensor(value, dtype=None, device=None):
    return tensor(value, dtype=dtype or state.default)


def complex_(real, imag):
    return wrap(_op("tw.binary", [real._h, imag._h], {"kind": "complex"}))


def polar(abs, angle):
    return complex_(abs * angle.cos(), abs * angle.sin())


def view_as_complex(input):
    return complex_(input[..., 0], input[..., 1])


def view_as_real(input):
    return stack([input.real, input.imag], -1)


Tensor.view_as_complex = view_as_complex
Tensor.view_as_real = view_as_real


# ---- functions of several tensors


@_also_axis
def cat(tensors, dim=0, out=None):
    tensors = _tilewise.closed(list(tensors))
    if dim < 0:
        dim += tensors[0].dim()
    # An index that is not known gave what has no dims here.
    tensors = [t.reshape(1) if dim == 0 and t.dim() == 0 else t for t in tensors]
    kept = [t for t in tensors if t.shape != (0,)] if len(tensors) > 1 else tensors
    if len(kept) == 1:
        return kept[0]
    if not kept:
        return tensors[0]
    handles = [t._h for t in kept]
    code = _tilewise.dtype(handles[0])
    for h in handles[1:]:
        if _tilewise.dtype(h) != code:
            code = promoted(code, _tilewise.dtype(h))
    y = wrap(_op("onnx.Concat", [convert(h, code) for h in handles], {"axis": dim}))
    if kept[0]._host:
        y._host = True
    return y


concat = concatenate = cat


@_also_axis
def stack(tensors, dim=0, out=None):
    tensors = _tilewise.closed(tensors)
    return cat([t.unsqueeze(dim) for t in tensors],
               dim if dim >= 0 else dim + tensors[0].dim() + 1) if len(tensors) > 1 else \
        tensors[0].unsqueeze(dim)


def hstack(tensors):
    return cat(tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors):
    return cat([t.unsqueeze(0) if t.dim() == 1 else t for t in tensors], 0)


def _compares(input, index, dim):
    """Whether PyTorch/XLA compares every place with the index and sums what is equal, in place of
    reading element by element, in both directions. Source: pytorch/xla, data_ops.cpp,
    IsSparseGather (XLA_DENSE_GATHER_FACTOR is 8192), and xla_lower_util.cpp,
    ShouldUseDenseScatter."""
    known = [_tilewise.numbers(t._h) is not None for t in (input, index)]
    if known[0] and known[1] or index.dim() != input.dim():
        return False
    sizes, picked = list(input.shape), list(index.shape)
    others = [d for d in range(input.dim()) if d != dim]
    return sizes[dim] <= 10 * 8192 and all([sizes[d] == picked[d] for d in others]) and \
        100 * picked[dim] >= sizes[dim]


def where(condition, input=None, other=None):
    if input is None:
        return condition.nonzero(as_tuple=True)
    if not isinstance(input, Tensor):
        if isinstance(other, Tensor):
            y, x = pair(other, input)
        else:
            x, y = tensor(input)._h, tensor(other)._h
            code = promoted(_tilewise.dtype(x), _tilewise.dtype(y))
            x, y = convert(x, code), convert(y, code)
    else:
        x, y = pair(input, other)
    return wrap(_op("onnx.Where", [convert(condition._h, "pred"), x, y]))


def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    handles = [cast(t._h) for t in operands]
    code = _tilewise.dtype(handles[0])
    for h in handles[1:]:
        code = promoted(code, _tilewise.dtype(h))
    return wrap(_op("tw.einsum", [convert(h, code) for h in handles],
                    {"equation": equation.replace(" ", "")}))


def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    sizes = [t.numel() for t in tensors]
    swap = indexing == "xy" and len(sizes) > 1
    if swap:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    result = []
    for i, t in enumerate(tensors):
        d = 1 - i if swap and i < 2 else i
        result.append(wrap(_op("tw.broadcast_in_dim", [t.reshape(-1)._h],
                               {"shape": sizes, "dims": [d]})))
    return tuple(result)


def broadcast_tensors(*tensors):
    shape = broadcast(*[t.shape for t in tensors])
    return tuple([wrap(expanded(t._h, shape)) for t in tensors])


def broadcast_shapes(*shapes):
    return tuple(broadcast(*shapes))


def cartesian_prod(*tensors):
    return stack([g.reshape(-1) for g in meshgrid(*tensors)], -1)


def block_diag(*tensors):
    width = sum([t.shape[1] for t in tensors])
    rows, at = [], 0
    for t in tensors:
        n, m = t.shape
        rows.append(cat([zeros(n, at, dtype=t.dtype), t, zeros(n, width - at - m, dtype=t.dtype)],
                        1))
        at += m
    return cat(rows, 0)


def cdist(x1, x2, p=2.0, compute_mode=None):
    return (x1.unsqueeze(-2) - x2.unsqueeze(-3)).norm(p, -1)


def bucketize(input, boundaries, out_int32=False, right=False):
    return (input.unsqueeze(-1) > boundaries).sum(-1)


def searchsorted(sorted_sequence, input, out_int32=False, right=False):
    return (input.unsqueeze(-1) > sorted_sequence.unsqueeze(-2)).sum(-1)


def tril_indices(row, col, offset=0, dtype=None, device=None):
    pairs = [(i, j) for i in range(row) for j in range(col) if j - i <= offset]
    return tensor([[i for i, _ in pairs], [j for _, j in pairs]])


def triu_indices(row, col, offset=0, dtype=None, device=None):
    pairs = [(i, j) for i in range(row) for j in range(col) if j - i >= offset]
    return tensor([[i for i, _ in pairs], [j for _, j in pairs]])
