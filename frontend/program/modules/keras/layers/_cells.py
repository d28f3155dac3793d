"""The cells of recurrent layers, and the layers of one cell."""

from keras import activations, constraints, initializers, regularizers
from keras._layer import Layer
from keras._leaf import (add, code, code_of, cut, dims, full, matmul, mul, op, put, reduce, split,
                         sub, wrap)
from keras.layers._core import Leaf, weight_of
from keras.layers._rnn import CellRNN, zeros_for


class Cell(Leaf):
    """Weights and dropout of a cell."""
    _gates = 1
    _dropped = _dropped_state = None
    _op = None  # what tw.recurrent calls it

    def __init__(self, units, activation="tanh", recurrent_activation="sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0,
                 recurrent_dropout=0.0, seed=None, reset_after=True, implementation=2,
                 use_cudnn=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.units, self.use_bias, self.seed = units, use_bias, seed
        self.activation = activations.get(activation)
        self.recurrent_activation = activations.get(recurrent_activation)
        self._starts(kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                     kernel_constraint, bias_constraint)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.unit_forget_bias, self.reset_after = unit_forget_bias, reset_after
        self.dropout, self.recurrent_dropout = dropout or 0.0, recurrent_dropout or 0.0
        self.implementation, self.bias = implementation, None
        self.state_size = self.output_size = units

    def build(self, input_shape):
        width = self.units * self._gates
        self.kernel = weight_of(self, "kernel", (input_shape[-1], width))
        self.recurrent_kernel = weight_of(self, "recurrent_kernel", (self.units, width),
                                          "recurrent")
        if self.use_bias:
            self.bias = weight_of(self, "bias", self._bias_shape(width))
        self.built = True

    def _bias_shape(self, width):
        return (width,)

    def get_initial_state(self, batch_size=None):
        made = zeros_for(self.state_size, batch_size, code_of(self.compute_dtype))
        return made if isinstance(made, list) else [made]

    def _fused(self, training):
        """Whether all steps are one op: not for cells of the program's own."""
        own = type(self).__module__ != __name__
        return self._op is not None and not own and not (training and self.recurrent_dropout)

    def _parts(self, d):
        parts = [put(self.kernel._h, d), put(self.recurrent_kernel._h, d)]
        if self.bias is None:
            return parts
        b = put(self._bias() if hasattr(self, "_bias") else self.bias._h, d)
        width = self.units * self._gates
        if dims(b) != (width,):
            b = reduce("sum", op("tw.reshape", [b], {"shape": [2, width]}), 0)
        return parts + [b]

    def _prepare(self, x, states, training):
        """Draws what the steps of a sequence drop, once for all."""
        self._dropped = self._dropped_state = None
        if not training:
            return
        if self.dropout:
            self._dropped = self._ones(x._h, self.dropout)
        if self.recurrent_dropout:
            self._dropped_state = self._ones(states[0]._h, self.recurrent_dropout)

    def _ones(self, like, rate):
        to = code_of(self.compute_dtype)
        return op("tw.dropout", [full(1, dims(like), to)], {"rate": float(rate)})

    def _entering(self, x, h):
        """What comes in, with what is dropped of it."""
        if self._dropped is not None:
            x = mul(x, self._dropped)
        if self._dropped_state is not None:
            h = mul(h, self._dropped_state)
        return x, h

    def reset_dropout_mask(self):
        self._dropped = None

    def reset_recurrent_dropout_mask(self):
        self._dropped_state = None


class AbstractRNNCell(Leaf):
    """What own cells derive from."""

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return zeros_for(self.state_size, batch_size, code_of(self.compute_dtype))


class SimpleRNNCell(Cell):
    _op = "rnn"

    def __init__(self, units, activation="tanh", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", **kwargs):
        Cell.__init__(self, units, activation, None, use_bias, kernel_initializer,
                      recurrent_initializer, bias_initializer, **kwargs)

    def call(self, sequence, states, training=None):
        listed = isinstance(states, (list, tuple))
        x, h = self._entering(sequence._h, (states[0] if listed else states)._h)
        d = code(x)
        y = matmul(x, put(self.kernel._h, d))
        if self.bias is not None:
            y = add(y, put(self.bias._h, d))
        y = self.activation(wrap(add(y, matmul(h, put(self.recurrent_kernel._h, d)))))
        return y, [y] if listed else y


class LSTMCell(Cell):
    _gates = 4
    _op = "lstm"

    def __init__(self, units, *args, **kwargs):
        Cell.__init__(self, units, *args, **kwargs)
        self.state_size = [units, units]

    def call(self, inputs, states, training=None):
        h, c = states[0], states[1]
        x, h = self._entering(inputs._h, h._h)
        d = code(x)
        z = add(matmul(x, put(self.kernel._h, d)), matmul(h, put(self.recurrent_kernel._h, d)))
        if self.bias is not None:
            z = add(z, put(self._bias(), d))
        i, f, g, o = [wrap(part) for part in split(z, 4, 1)]
        gate, act = self.recurrent_activation, self.activation
        c = wrap(add(mul(gate(f)._h, c._h), mul(gate(i)._h, act(g)._h)))
        h = wrap(mul(gate(o)._h, act(c)._h))
        return h, [h, c]

    def _bias(self):
        return self.bias._h


class GRUCell(Cell):
    _gates = 3
    _op = "gru"

    def _bias_shape(self, width):
        return (2, width) if self.reset_after else (width,)

    def call(self, inputs, states, training=None):
        listed = isinstance(states, (list, tuple))
        old = (states[0] if listed else states)._h
        x, h = self._entering(inputs._h, old)
        d = code(x)
        xs, hs = self._biases(d)
        a = matmul(x, put(self.kernel._h, d))
        a = split(add(a, xs) if xs is not None else a, 3, 1)
        gate, act, w = self.recurrent_activation, self.activation, put(self.recurrent_kernel._h, d)
        if self.reset_after:
            b = matmul(h, w)
            b = split(add(b, hs) if hs is not None else b, 3, 1)
            z, r = gate(wrap(add(a[0], b[0])))._h, gate(wrap(add(a[1], b[1])))._h
            n = act(wrap(add(a[2], mul(r, b[2]))))._h
        else:
            u = self.units
            b = split(matmul(h, cut(w, 1, 0, 2 * u)), 2, 1)
            z, r = gate(wrap(add(a[0], b[0])))._h, gate(wrap(add(a[1], b[1])))._h
            n = act(wrap(add(a[2], matmul(mul(r, h), cut(w, 1, 2 * u, 3 * u)))))._h
        y = wrap(add(mul(z, old), mul(sub(1.0, z), n)))
        return y, [y] if listed else y

    def _biases(self, d):
        if self.bias is None:
            return None, None
        b = put(self.bias._h, d)
        if not self.reset_after:
            return b, None
        width = dims(b)[1]
        return [op("tw.reshape", [cut(b, 0, i, i + 1)], {"shape": [width]}) for i in (0, 1)]


class StackedRNNCells(Leaf):
    def __init__(self, cells, **kwargs):
        Layer.__init__(self, **kwargs)
        self.cells = list(cells)

    @property
    def state_size(self):
        return [c.state_size for c in self.cells]

    @property
    def output_size(self):
        last = self.cells[-1]
        size = getattr(last, "output_size", None)
        if size is not None:
            return size
        size = last.state_size
        return size[0] if isinstance(size, (list, tuple)) else size

    def build(self, input_shape):
        for cell in self.cells:
            if not getattr(cell, "built", True):
                cell.build(tuple(input_shape))
                cell.built = True
            size = getattr(cell, "output_size", None)
            if size is None:
                size = cell.state_size
                size = size[0] if isinstance(size, (list, tuple)) else size
            input_shape = (input_shape[0],) + (tuple(size) if isinstance(size, (list, tuple))
                                               else (size,))
        self.built = True

    def get_initial_state(self, batch_size=None):
        made = []
        for cell in self.cells:
            if isinstance(cell, Cell):
                first = cell.get_initial_state(batch_size)
            else:
                first = zeros_for(cell.state_size, batch_size, code_of(self.compute_dtype))
            made.append(first[0] if isinstance(first, list) and len(first) == 1 else first)
        return made

    def _prepare(self, x, states, training):
        for cell, state in zip(self.cells, states):
            if isinstance(cell, Cell):
                state = state if isinstance(state, (list, tuple)) else [state]
                before = dims(x._h)
                cell._prepare(x, state, training)
                x = wrap(full(0, before[:-1] + (cell.units,), code(x._h)))

    def call(self, inputs, states, training=None, **kwargs):
        new = []
        for cell, state in zip(self.cells, states):
            listed = isinstance(state, (list, tuple))
            if training is not None and isinstance(cell, Layer):
                kwargs["training"] = training
            inputs, made = cell(inputs, list(state) if listed else [state], **kwargs)
            new.append(made if listed or not isinstance(made, (list, tuple)) else made[0])
        return inputs, new


class SimpleRNN(CellRNN):
    _cell = SimpleRNNCell

    def __init__(self, units, activation="tanh", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", **kwargs):
        arguments = dict(units=units, activation=activation, use_bias=use_bias,
                         kernel_initializer=kernel_initializer,
                         recurrent_initializer=recurrent_initializer,
                         bias_initializer=bias_initializer)
        self._start(kwargs, _taken(arguments, kwargs))


_ARGUMENTS = ("unit_forget_bias", "kernel_regularizer", "recurrent_regularizer",
              "bias_regularizer", "kernel_constraint", "recurrent_constraint", "bias_constraint",
              "dropout", "recurrent_dropout", "seed", "reset_after", "implementation",
              "use_cudnn")


def _taken(arguments, kwargs):
    for name in _ARGUMENTS:
        if name in kwargs:
            arguments[name] = kwargs.pop(name)
    return arguments


class LSTM(CellRNN):
    _cell = LSTMCell

    def __init__(self, units, activation="tanh", recurrent_activation="sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", **kwargs):
        arguments = dict(units=units, activation=activation, use_bias=use_bias,
                         recurrent_activation=recurrent_activation,
                         kernel_initializer=kernel_initializer,
                         recurrent_initializer=recurrent_initializer,
                         bias_initializer=bias_initializer)
        self._start(kwargs, _taken(arguments, kwargs))


class GRU(LSTM):
    _cell = GRUCell




class CuDNNLSTMCell(LSTMCell):
    def _bias_shape(self, width):
        return (2 * width,)

    def _bias(self):
        n = 4 * self.units
        return add(cut(self.bias._h, 0, 0, n), cut(self.bias._h, 0, n, 2 * n))


class CuDNNGRUCell(GRUCell):
    def _bias_shape(self, width):
        return (2 * width,)

    def _biases(self, d):
        b, n = put(self.bias._h, d), 3 * self.units
        return cut(b, 0, 0, n), cut(b, 0, n, 2 * n)


class CuDNNLSTM(LSTM):
    _cell = CuDNNLSTMCell


class CuDNNGRU(LSTM):
    _cell = CuDNNGRUCell
