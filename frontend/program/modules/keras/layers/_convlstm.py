"""LSTM whose products are convolutions."""

from keras._leaf import (add, code, code_of, cut, dims, full, many, mul, op, put, reshape, split,
                         transpose, wrap)
from keras.layers._cells import Cell, _ARGUMENTS
from keras.layers._conv import format_of, output_length
from keras.layers._core import weight_of
from keras.layers._rnn import CellRNN


class ConvLSTMCell(Cell):
    def __init__(self, rank, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, activation="tanh", recurrent_activation="sigmoid",
                 use_bias=True, **kwargs):
        Cell.__init__(self, filters, activation, recurrent_activation, use_bias, **kwargs)
        self.rank, self.filters = rank, filters
        self.kernel_size, self.strides = many(kernel_size, rank), many(strides, rank)
        self.padding, self.data_format = padding.lower(), format_of(data_format)
        self.dilation_rate = many(dilation_rate, rank)
        self._first = self.data_format == "channels_first"
        self._input = {"strides": list(self.strides), "rhs_dilation": list(self.dilation_rate),
                       "channels_first": self._first}
        if self.padding == "same":
            self._input["padding"] = "SAME"
        self._state = {"strides": [1] * rank, "padding": "SAME", "channels_first": self._first}
        self.state_size = [filters, filters]

    def build(self, input_shape):
        n = input_shape[1 if self._first else -1]
        f = self.filters
        self.kernel = weight_of(self, "kernel", self.kernel_size + (n, 4 * f))
        self.recurrent_kernel = weight_of(self, "recurrent_kernel", self.kernel_size + (f, 4 * f),
                                          "recurrent")
        if self.use_bias:
            self.bias = weight_of(self, "bias", (4 * f,))
        self.built = True

    def _state_shape(self, shape):
        """Of the step's input to the state's."""
        first = 2 if self._first else 1
        spatial = [output_length(shape[first + i], self.kernel_size[i], self.padding,
                                 self.strides[i], self.dilation_rate[i])
                   for i in range(self.rank)]
        middle = [self.filters] + spatial if self._first else spatial + [self.filters]
        return [shape[0]] + middle

    def _prepare(self, x, states, training):
        Cell._prepare(self, x, states, training)
        self._parts = [self._cut(w, code(x._h)) for w in (self.kernel, self.recurrent_kernel)]

    def _cut(self, weight, d):
        """A kernel for each gate."""
        k = put(weight._h, d)
        n = self.rank
        if self._first:
            return split(transpose(k, [n + 1, n] + list(range(n))), 4, 0)
        return split(k, 4, n + 1)

    def call(self, inputs, states, training=None):
        h, c = states[0], states[1]
        x, h = self._entering(inputs._h, h._h)
        d = code(x)
        xs, hs = getattr(self, "_parts", None) or [self._cut(self.kernel, d),
                                                   self._cut(self.recurrent_kernel, d)]
        z = []
        for i in range(4):
            y = op("tw.conv", [x, xs[i]], self._input)
            if self.bias is not None:
                b = cut(put(self.bias._h, d), 0, i * self.filters, (i + 1) * self.filters)
                y = add(y, reshape(b, (self.filters,) + (1,) * self.rank) if self._first else b)
            z.append(wrap(add(y, op("tw.conv", [h, hs[i]], self._state))))
        gate, act = self.recurrent_activation, self.activation
        c = wrap(add(mul(gate(z[1])._h, c._h), mul(gate(z[0])._h, act(z[2])._h)))
        h = wrap(mul(gate(z[3])._h, act(c)._h))
        return h, [h, c]


class _ConvLSTM(CellRNN):
    _rank = 2

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, activation="tanh", recurrent_activation="sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", **kwargs):
        arguments = dict(rank=self._rank, filters=filters, kernel_size=kernel_size,
                         strides=strides, padding=padding, data_format=data_format,
                         dilation_rate=dilation_rate, activation=activation,
                         recurrent_activation=recurrent_activation, use_bias=use_bias,
                         kernel_initializer=kernel_initializer,
                         recurrent_initializer=recurrent_initializer,
                         bias_initializer=bias_initializer)
        for name in _ARGUMENTS:
            if name in kwargs:
                arguments[name] = kwargs.pop(name)
        self._start(kwargs, arguments)

    _cell = ConvLSTMCell

    def _first_states(self, sequences, initial_state):
        if initial_state is not None:
            return list(initial_state)
        shape = dims(sequences._h)
        step = self.cell._state_shape(shape[:1] + shape[2:])
        to = code_of(self.compute_dtype)
        return [wrap(full(0, step, to)), wrap(full(0, step, to))]

    def _before(self, x, states):
        return [] if self.zero_output_for_mask else [states[0]]

    def compute_output_shape(self, sequences_shape, initial_state_shape=None):
        shape = tuple(sequences_shape)
        step = tuple(self.cell._state_shape((shape[0],) + shape[2:]))
        out = (shape[0], shape[1]) + step[1:] if self.return_sequences else step
        return [out, step, step] if self.return_state else out


class ConvLSTM1D(_ConvLSTM):
    _rank = 1


class ConvLSTM2D(_ConvLSTM):
    pass


class ConvLSTM3D(_ConvLSTM):
    _rank = 3


class ConvLSTM2DCell(ConvLSTMCell):
    def __init__(self, filters, kernel_size, *args, **kwargs):
        ConvLSTMCell.__init__(self, 2, filters, kernel_size, *args, **kwargs)
