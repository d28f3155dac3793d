"""Recurrent layers, as the ops of ONNX. The order of gates makes no difference to the cost."""

import _tilewise
from . import functional as F
from .._tensor import cast, cat, full_like, wraps
from ._module import Module
from ._layers import _weight
from .utils.rnn import PackedSequence, packed as _packed

_GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


class RNNBase(Module):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None,
                 nonlinearity="tanh"):
        Module.__init__(self)
        self.mode, self.input_size, self.hidden_size, self.num_layers = (
            mode, input_size, hidden_size, num_layers)
        self.bias, self.batch_first, self.dropout, self.bidirectional = (
            bias, batch_first, float(dropout), bidirectional)
        self.proj_size, self.nonlinearity = proj_size, nonlinearity
        g, out = _GATES[mode] * hidden_size, proj_size or hidden_size
        directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[:directions]:
                end = "_l" + str(layer) + suffix
                width = input_size if layer == 0 else out * directions
                setattr(self, "weight_ih" + end, _weight(g, width, dtype=dtype))
                setattr(self, "weight_hh" + end, _weight(g, out, dtype=dtype))
                if bias:
                    setattr(self, "bias_ih" + end, _weight(g, dtype=dtype))
                    setattr(self, "bias_hh" + end, _weight(g, dtype=dtype))
                if proj_size:
                    setattr(self, "weight_hr" + end, _weight(proj_size, hidden_size, dtype=dtype))

    def flatten_parameters(self):
        pass

    reset_parameters = flatten_parameters

    @property
    def all_weights(self):
        return [[p] for p in self.parameters()]

    def forward(self, input, hx=None):
        packed = input if isinstance(input, PackedSequence) else None
        x = input.padded if packed is not None else input
        batch_first = packed.batch_first if packed is not None else self.batch_first
        single = x.dim() == 2
        if single:
            x = x.unsqueeze(1)
        elif batch_first:
            x = x.transpose(0, 1)
        states = list(hx) if isinstance(hx, (tuple, list)) else [] if hx is None else [hx]
        if single:
            states = [s.unsqueeze(1) for s in states]
        directions = 2 if self.bidirectional else 1
        last = [[], []]
        for layer in range(self.num_layers):
            ends = ["_l" + str(layer) + s for s in ("", "_reverse")[:directions]]
            now = [s.narrow(0, layer * directions, directions) for s in states]
            x, finals = self._layer(x, ends, now)
            for kept, value in zip(last, finals):
                kept.append(value)
            if self.dropout and layer + 1 < self.num_layers:
                x = F.dropout(x, self.dropout, self.training)
        ends = [cat(values) for values in last if values]
        if single:
            x, ends = x.squeeze(1), [e.squeeze(1) for e in ends]
        elif batch_first:
            x = x.transpose(0, 1)
        if packed is not None:
            x = _packed(x, packed.lengths, packed.batch_first)
        return x, (tuple(ends) if self.mode == "LSTM" else ends[0])

    def _layer(self, x, ends, states):
        def joined(name):
            parts = [getattr(self, name + end).unsqueeze(0) for end in ends]
            return cat(parts)
        w, r = joined("weight_ih"), joined("weight_hh")
        b = cat([joined("bias_ih"), joined("bias_hh")], 1)._h if self.bias else None
        if self.proj_size:
            _tilewise.note("the projection of an LSTM is computed behind its steps")
            r = cat([r] * -(-self.hidden_size // self.proj_size), 2)[:, :, :self.hidden_size]
            states = []
        attrs = {"hidden_size": self.hidden_size,
                 "direction": "bidirectional" if len(ends) == 2 else "forward"}
        if self.mode == "GRU":
            attrs["linear_before_reset"] = 1
        outputs = 3 if self.mode == "LSTM" else 2
        y = wraps(_tilewise.op("onnx." + self.mode,
                               [cast(x._h), cast(w._h), cast(r._h),
                                b, None] + [s._h for s in states], attrs, outputs=outputs))
        t, d, n, u = y[0].shape
        out = y[0].transpose(1, 2).reshape(t, n, d * u) if d > 1 else y[0].squeeze(1)
        finals = list(y[1:])
        if self.proj_size:
            out = cat([F.linear(part, getattr(self, "weight_hr" + end))
                       for part, end in zip(out.chunk(d, -1), ends)], -1)
            finals[0] = F.linear(finals[0], getattr(self, "weight_hr" + ends[0]))
        return out, finals


def _class(mode):
    class Recurrent(RNNBase):
        def __init__(self, *args, **kwargs):
            RNNBase.__init__(self, mode, *args, **kwargs)
    Recurrent.__name__ = Recurrent.__qualname__ = mode
    return Recurrent


LSTM, GRU = _class("LSTM"), _class("GRU")


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True,
                 batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        RNNBase.__init__(self, "RNN", input_size, hidden_size, num_layers, bias, batch_first,
                         dropout, bidirectional, 0, device, dtype, nonlinearity)


class RNNCellBase(Module):
    _mode = "RNN"

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        Module.__init__(self)
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        g = _GATES[self._mode] * hidden_size
        self.weight_ih, self.weight_hh = (
            _weight(g, input_size, dtype=dtype), _weight(g, hidden_size, dtype=dtype))
        self.register_parameter("bias_ih", _weight(g, dtype=dtype) if bias else None)
        self.register_parameter("bias_hh", _weight(g, dtype=dtype) if bias else None)

    def _gates(self, input, h):
        return F.linear(input, self.weight_ih, self.bias_ih), \
            F.linear(h, self.weight_hh, self.bias_hh)

    def _start(self, input, hx):
        if hx is not None:
            return hx
        return full_like(input, 0, shape=list(input.shape[:-1]) + [self.hidden_size])


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None,
                 dtype=None):
        RNNCellBase.__init__(self, input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        a, b = self._gates(input, self._start(input, hx))
        return (a + b).tanh() if self.nonlinearity == "tanh" else (a + b).relu()


class LSTMCell(RNNCellBase):
    _mode = "LSTM"

    def forward(self, input, hx=None):
        h, c = (self._start(input, None),) * 2 if hx is None else hx
        a, b = self._gates(input, h)
        i, f, g, o = (a + b).chunk(4, -1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


class GRUCell(RNNCellBase):
    _mode = "GRU"

    def forward(self, input, hx=None):
        h = self._start(input, hx)
        a, b = [x.chunk(3, -1) for x in self._gates(input, h)]
        r, z = (a[0] + b[0]).sigmoid(), (a[1] + b[1]).sigmoid()
        n = (a[2] + r * b[2]).tanh()
        return n + z * (h - n)
