"""Variables: weights of the model, and numbers that the program counts with."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._dtypes import BY_CODE, FLOATS
from tensorflow._public import state
from tensorflow._shape import TensorShape
from tensorflow._tensor import Tensor, handle, number_of, wrap

_numbers = _tilewise.numbers
_names = {}


def unique(name):
    """The name, with a number when it is taken."""
    n = _names.get(name, 0)
    _names[name] = n + 1
    return name if n == 0 else name + "_" + str(n)


def _first(initial, dtype, shape):
    """(sizes, code, number) of the first value."""
    if initial is None:
        return [1 if d is None else d for d in TensorShape(shape)], _dtypes.code_of(dtype), None
    if hasattr(initial, "initial_value"):
        initial = initial.initial_value
    if callable(initial) and not isinstance(initial, Tensor):
        initial = initial()
    h = handle(initial, dtype)
    if _tilewise.is_unknown(h):
        sizes = [] if shape is None else list(TensorShape(shape))
        if shape is None or None in sizes:
            return h, None, None
        return sizes, "f32" if dtype is None else _dtypes.code_of(dtype), None
    sizes = list(_tilewise.shape(h))
    return sizes, _tilewise.dtype(h), _numbers(h) if not sizes else None


class Variable(Tensor):
    """`_h` is the weight; `_now` a number that is known, of a scalar that is no float."""
    _is_variable = True
    _now = None
    constraint = None
    initializer = None
    regularizer = None
    _trainable = True

    def __new__(cls, *args, **kwargs):
        if state.creators and not kwargs.pop("_made", False):
            make = _chained(len(state.creators), cls)
            if args:
                kwargs["initial_value"] = args[0]
            return make(**kwargs)
        return Tensor.__new__(cls)

    def __init__(self, initial_value=None, trainable=None, validate_shape=True,
                 caching_device=None, name=None, variable_def=None, dtype=None,
                 import_scope=None, constraint=None, synchronization=None, aggregation=None,
                 shape=None, collections=None, initializer=None, **ignored):
        if "_h" in self.__dict__:
            return
        if initial_value is None and initializer is not None and callable(initializer):
            initial_value = lambda: initializer(shape, dtype or _dtypes.float32)
        self.constraint = constraint
        self.synchronization, self.aggregation = synchronization, aggregation
        self._trainable = True if trainable is None else bool(trainable)
        self.name = state.scope + unique(state.scope + (name or "Variable"))[len(state.scope):] \
            + ":0"
        sizes, code, number = _first(initial_value, dtype, shape)
        if code is None:
            _tilewise.note("the count is a lower bound: a variable whose shape is not known is "
                           "taken as one number: " + _tilewise.reason(sizes))
            sizes, code = [], "f32"
        self._create(sizes, code, number)
        state.variables.append(self)
        if state.on_variable is not None:
            state.on_variable(self, collections)

    def _create(self, sizes, code, number):
        if 0 in sizes:
            self._h = _tilewise.full(0, sizes, code)
            return
        trained = self._trainable and (code in FLOATS or code[0] == "c")
        self._h = _tilewise.weight(sizes, code, self.name[:-2], trained, True)
        if number is not None and code not in FLOATS:
            self._now = number

    def _read(self):
        h = self._h
        if self._now is not None:
            return _tilewise.known(self._now, _tilewise.dtype(h))
        if state.autocast is not None and _tilewise.dtype(h) in FLOATS:
            if _tilewise.dtype(h) != state.autocast:
                return _tilewise.op("tw.convert", [h], {"dtype": state.autocast})
        return h

    @property
    def dtype(self):
        if state.autocast is not None and _tilewise.dtype(self._h) in FLOATS:
            return BY_CODE[state.autocast]
        return BY_CODE[_tilewise.dtype(self._h)]

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = bool(value)
        _tilewise.set_trainable(self._h, self._trainable)

    @property
    def path(self):
        return self.name[:-2]

    @property
    def handle(self):
        return self

    @property
    def _shared_name(self):
        return self.name[:-2]

    @property
    def initial_value(self):
        return wrap(self._h)

    initialized_value = read_value = lambda self, *args, **kw: wrap(self._read())

    def value(self):
        return wrap(self._read())

    def is_initialized(self, *args):
        return True

    @property
    def op(self):
        return self

    def _set(self, value):
        h = handle(value)
        if _tilewise.is_unknown(h):
            if _tilewise.dtype(self._h) not in FLOATS and self._now is not None:
                self._now = h
            return self
        code = _tilewise.dtype(self._h)
        if code not in FLOATS and not _tilewise.shape(self._h):
            self._now = _numbers(h)
        else:
            if tuple(_tilewise.shape(h)) != tuple(_tilewise.shape(self._h)) and \
                    0 not in _tilewise.shape(h) and _tilewise.shape(h):
                self._h = _tilewise.weight(list(_tilewise.shape(h)), code, self.name[:-2],
                                           self._trainable)
        return self

    def _changed(self, value, sign):
        """A step that the program writes by hand: a gradient was had, and now this."""
        if state.pending and id(self) in state.pending:
            from tensorflow import _tape
            _tape.hand_step(value, sign)

    def assign(self, value, use_locking=None, name=None, read_value=True):
        self._changed(None, 0)
        return self._set(value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        self._changed(delta, 1)
        return self._set(self + delta) if self._now is not None else self

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        self._changed(delta, -1)
        return self._set(self - delta) if self._now is not None else self

    def scatter_update(self, *args, **kwargs):
        return self

    scatter_add = scatter_sub = scatter_nd_update = scatter_nd_add = scatter_update
    scatter_nd_sub = scatter_max = scatter_min = batch_scatter_update = scatter_update

    def load(self, value, session=None):
        pass

    def numpy(self):
        return Tensor.numpy(self)

    def set_shape(self, shape):
        pass

    def count_up_to(self, limit):
        return self

    def experimental_ref(self):
        return self.ref()

    def __repr__(self):
        return "<tf.Variable '" + self.name + "' shape=" + str(self.shape) + " dtype=" + \
            BY_CODE[_tilewise.dtype(self._h)].name + ">"

    def __deepcopy__(self, memo):
        key = id(self)
        if key not in memo:
            memo[key] = Variable(wrap(self._h), trainable=self._trainable, name=self.path)
        return memo[key]

    class SaveSliceInfo:
        pass


def _chained(depth, cls):
    """The creator of place `depth`, which may call the one before it."""
    def make(**kwargs):
        if depth == 0:
            kwargs["_made"] = True
            held, state.creators = state.creators, []
            made = cls(**{k: v for k, v in kwargs.items() if k != "_made"})
            state.creators = held
            return made
        return state.creators[depth - 1](_chained(depth - 1, cls), **kwargs)
    return make


def number(variable):
    return number_of(variable)
