"""Cells of recurrent networks: tf.nn.rnn_cell and tf.contrib.rnn."""

import collections

import _tilewise as _t
from tensorflow._tensor import handle, wrap
from tensorflow._tf1 import leaf as L
from tensorflow._tf1.functional_layers import number
from tensorflow._tf1.scopes import get_variable, variable_scope

LSTMStateTuple = collections.namedtuple("LSTMStateTuple", ("c", "h"))


def _unary(kind, h):
    return L.op("tw.unary", [h], {"kind": kind})


class RNNCell:
    _scope = None
    base_name = "rnn_cell"
    recurrent = None        # what tw.recurrent calls it

    def __init__(self, trainable=True, name=None, dtype=None, **kw):
        self._name = name

    @property
    def state_size(self):
        return self._num_units

    @property
    def output_size(self):
        return self._num_units

    def zero_state(self, batch_size, dtype):
        return _zeros(self.state_size, batch_size, dtype)

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        if inputs is not None:
            batch_size, dtype = L.dims(handle(inputs))[0], inputs.dtype
        return self.zero_state(batch_size, dtype)

    def __call__(self, inputs, state, scope=None, *args, **kw):
        if self._scope is None:
            with variable_scope(scope or self._name or self.base_name) as opened:
                self._scope = opened
        with variable_scope(self._scope):
            return self.call(inputs, state)

    def call(self, inputs, state):
        raise NotImplementedError("a cell without call")

    def build(self, *args):
        self.built = True

    def add_variable(self, name, shape=None, **kw):
        return get_variable(name, shape, trainable=kw.get("trainable", True))

    add_weight = add_variable

    def weights_of(self, features):
        """Kernels of the inputs and of the state, and the bias, as tw.recurrent has them."""
        return None

    @property
    def trainable_variables(self):
        from tensorflow._tf1.graph import trainable_variables
        return trainable_variables(self._scope.name if self._scope else None)

    variables = weights = trainable_weights = trainable_variables


LayerRNNCell = RNNCell


def _zeros(size, batch_size, dtype):
    from tensorflow._dtypes import code_of
    from tensorflow._tensor import number_of
    if isinstance(size, tuple) and hasattr(size, "_fields"):
        return type(size)(*[_zeros(s, batch_size, dtype) for s in size])
    if isinstance(size, (list, tuple)) and not (size and size[0] is None):
        return tuple([_zeros(s, batch_size, dtype) for s in size])
    n = number_of(batch_size)
    return wrap(_t.full(0, [int(n or 1), int(size)], code_of(dtype)))


class _Kernel(RNNCell):
    gates = 1

    def __init__(self, num_units, *args, name=None, reuse=None, **kw):
        super().__init__(name=name)
        self._num_units = int(num_units)
        self._proj = kw.get("num_proj")
        self._state_is_tuple = kw.get("state_is_tuple", True)

    def _kernel(self, features):
        return handle(get_variable("kernel", [features + self._num_units,
                                              self.gates * self._num_units]))

    def weights_of(self, features):
        if self._scope is None:
            with variable_scope(self._name or self.base_name) as opened:
                self._scope = opened
        with variable_scope(self._scope):
            kernel = self._kernel(features)
            bias = handle(get_variable("bias", [self.gates * self._num_units]))
        wide = L.dims(kernel)[1]
        parts = []
        for low, high in ((0, features), (features, features + self._num_units)):
            parts.append(L.op("tw.slice", [kernel], {"starts": [low, 0], "limits": [high, wide],
                                                     "strides": [1, 1]}))
        return parts + [bias]

    def _gates(self, x, h):
        both = L.op("tw.concatenate", [x, L.convert(h, L.code(x))], {"dim": 1})
        kernel = self._kernel(L.dims(x)[-1])
        bias = handle(get_variable("bias", [self.gates * self._num_units]))
        return L.bias(L.dense(both, kernel), bias)

    def _part(self, h, i):
        n = self._num_units
        return L.op("tw.slice", [h], {"starts": [0, i * n], "limits": [L.dims(h)[0], (i + 1) * n],
                                      "strides": [1, 1]})


class BasicRNNCell(_Kernel):
    base_name, recurrent = "basic_rnn_cell", "rnn"

    def call(self, inputs, state):
        y = wrap(_unary("tanh", self._gates(handle(inputs), handle(state))))
        return y, y


class BasicLSTMCell(_Kernel):
    base_name, recurrent, gates = "basic_lstm_cell", "lstm", 4

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units)

    def call(self, inputs, state):
        c, h = state
        z = self._gates(handle(inputs), handle(h))
        i, j, f, o = [self._part(z, k) for k in range(4)]
        c = L.convert(handle(c), L.code(z))
        new_c = L.binary("add", L.binary("multiply", c, _unary("logistic", f)),
                         L.binary("multiply", _unary("logistic", i), _unary("tanh", j)))
        new_h = L.binary("multiply", _unary("tanh", new_c), _unary("logistic", o))
        return wrap(new_h), LSTMStateTuple(wrap(new_c), wrap(new_h))


class LSTMCell(BasicLSTMCell):
    """With num_proj what it puts out is projected to fewer units."""
    base_name = "lstm_cell"

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None,
                 num_proj=None, *args, **kw):
        super().__init__(num_units, name=kw.get("name"))
        self._proj = num_proj
        if num_proj:
            self.recurrent = None

    @property
    def output_size(self):
        return self._proj or self._num_units

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._proj or self._num_units)

    def _kernel(self, features):
        return handle(get_variable("kernel", [features + (self._proj or self._num_units),
                                              self.gates * self._num_units]))

    def call(self, inputs, state):
        y, new = BasicLSTMCell.call(self, inputs, state)
        if self._proj:
            flat = handle(get_variable("projection/kernel", [self._num_units, self._proj]))
            y = wrap(L.dense(handle(y), flat))
            new = LSTMStateTuple(new.c, y)
        return y, new


class GRUCell(_Kernel):
    base_name, recurrent, gates = "gru_cell", "gru", 3

    def weights_of(self, features):
        return None

    def call(self, inputs, state):
        x, h = handle(inputs), handle(state)
        n, features = self._num_units, L.dims(x)[-1]
        with variable_scope("gates"):
            k = handle(get_variable("kernel", [features + n, 2 * n]))
            b = handle(get_variable("bias", [2 * n]))
        z = _unary("logistic", L.bias(L.dense(L.op("tw.concatenate", [x, h], {"dim": 1}), k), b))
        r, u = self._part(z, 0), self._part(z, 1)
        with variable_scope("candidate"):
            k = handle(get_variable("kernel", [features + n, n]))
            b = handle(get_variable("bias", [n]))
        both = L.op("tw.concatenate", [x, L.binary("multiply", r, h)], {"dim": 1})
        c = _unary("tanh", L.bias(L.dense(both, k), b))
        y = wrap(L.binary("add", c, L.binary("multiply", u, L.binary("subtract", h, c))))
        return y, y


class MultiRNNCell(RNNCell):
    base_name = "multi_rnn_cell"

    def __init__(self, cells, state_is_tuple=True):
        self._cells = list(cells)
        self._name = None

    @property
    def state_size(self):
        return tuple([c.state_size for c in self._cells])

    @property
    def output_size(self):
        return self._cells[-1].output_size

    def call(self, inputs, state):
        new = []
        for i, cell in enumerate(self._cells):
            with variable_scope("cell_" + str(i)):
                inputs, s = cell(inputs, state[i])
            new.append(s)
        return inputs, tuple(new)


class Wrapper(RNNCell):
    def __init__(self, cell, *args, **kw):
        self._cell = cell
        self._given = (args, kw)
        self._name = None

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def __call__(self, inputs, state, scope=None, *args, **kw):
        return self._cell(inputs, state)

    def zero_state(self, batch_size, dtype):
        return self._cell.zero_state(batch_size, dtype)


class DropoutWrapper(Wrapper):
    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0,
                 *args, **kw):
        super().__init__(cell)
        self.input_rate = 1.0 - number(input_keep_prob, 0.5)
        self.output_rate = 1.0 - number(output_keep_prob, 0.5)

    def __call__(self, inputs, state, scope=None, *args, **kw):
        y, new = self._cell(wrap(L.dropout(handle(inputs), self.input_rate)), state)
        return wrap(L.dropout(handle(y), self.output_rate)), new


class ResidualWrapper(Wrapper):
    def __call__(self, inputs, state, scope=None, *args, **kw):
        y, new = self._cell(inputs, state)
        return y + inputs, new


class DeviceWrapper(Wrapper):
    pass


LSTMBlockCell = LSTMBlockFusedCell = CoupledInputForgetGateLSTMCell = BasicLSTMCell
LayerNormBasicLSTMCell = BasicLSTMCell
GRUBlockCell = GRUBlockCellV2 = GRUCell
EmbeddingWrapper = InputProjectionWrapper = OutputProjectionWrapper = Wrapper


def static_rnn(*args, **kw):
    from tensorflow._tf1 import rnn
    return rnn.static_rnn(*args, **kw)


def static_bidirectional_rnn(*args, **kw):
    from tensorflow._tf1 import rnn
    return rnn.static_bidirectional_rnn(*args, **kw)
