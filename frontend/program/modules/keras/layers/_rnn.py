"""A cell over the steps of a sequence: one loop."""

import _tilewise as _t
import _python
from keras._layer import Layer
from keras._leaf import (Tensor, broadcast, code, code_of, cut, dims, full, known_int, op, put,
                         reshape, transpose, wrap)
from keras._node import flat, map_tensors
from keras.layers._core import Leaf


def zeros_for(size, batch, to):
    """First states of a `state_size`."""
    if isinstance(size, int):
        return wrap(full(0, [batch, size], to))
    sizes = list(size)
    if hasattr(size, "as_list"):
        return wrap(full(0, [batch] + sizes, to))
    return [zeros_for(s, batch, to) if not isinstance(s, tuple)
            else wrap(full(0, (batch,) + s, to)) for s in sizes]


def _row(h, i):
    """Row `i` of the first dim."""
    if isinstance(i, int):
        i = _t.known(i, "s32")
    shape = dims(h)
    zero = _t.known(0, "s32")
    part = op("tw.dynamic_slice", [h, i] + [zero] * (len(shape) - 1),
              {"sizes": [1] + list(shape[1:])})
    return reshape(part, shape[1:])


def _chosen(kept, new, old):
    """Where a step counts the new state, else the old one."""
    shape = dims(new)
    wide = broadcast(reshape(kept, (shape[0],) + (1,) * (len(shape) - 1)), shape)
    return op("tw.select", [wide, new, put(old, code(new))])


def _rows(x, i):
    return map_tensors(lambda t: wrap(_row(t._h, i)), x)


def _swapped(x):
    """Batch and time in the other order."""
    return map_tensors(
        lambda t: wrap(transpose(t._h, [1, 0] + list(range(2, len(dims(t._h)))))), x)


def _shapes(shape, make):
    """`make` of each shape of a nested structure."""
    if isinstance(shape, dict):
        return {k: _shapes(v, make) for k, v in shape.items()}
    items = list(shape)
    if items and isinstance(items[0], (list, tuple, dict)):
        return [_shapes(s, make) for s in items]
    return make(tuple(items))


class RNN(Leaf):

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False,
                 stateful=False, unroll=False, zero_output_for_mask=False, time_major=False,
                 **kwargs):
        Layer.__init__(self, **kwargs)
        if isinstance(cell, (list, tuple)):
            from keras.layers._cells import StackedRNNCells
            cell = StackedRNNCells(cell)
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll = go_backwards, stateful, unroll
        self.zero_output_for_mask, self.time_major = zero_output_for_mask, time_major
        self.supports_masking = True
        self.states = None

    def build(self, sequences_shape, initial_state_shape=None):
        shape = sequences_shape
        if type(shape) is list and shape and isinstance(shape[0], (list, tuple)):
            shape = shape[0]
        cell = self.cell
        if not getattr(cell, "built", True):
            cell.build(_shapes(shape, lambda s: s[1:] if self.time_major else s[:1] + s[2:]))
            cell.built = True
        self.built = True

    @property
    def state_size(self):
        return self.cell.state_size

    def get_initial_state(self, batch_size=None, *args, **kwargs):
        cell = self.cell
        if isinstance(batch_size, Tensor):
            n = known_int(batch_size._h) if not dims(batch_size._h) else None
            batch_size = dims(batch_size._h)[0] if n is None else int(n)
        to = code_of(self.compute_dtype)
        made = None
        if hasattr(cell, "get_initial_state"):
            names = [row[0] for row in _python.signature(cell.get_initial_state)]
            given = {"batch_size": batch_size, "dtype": self.compute_dtype, "inputs": None}
            made = cell.get_initial_state(**{n: given[n] for n in names if n in given})
        if made is None:
            made = zeros_for(cell.state_size, batch_size, to)
        return list(made) if isinstance(made, (list, tuple)) else [made]

    def _first_states(self, sequences, initial_state):
        if initial_state is None:
            shape = dims(flat(sequences)[0]._h)
            return self.get_initial_state(shape[1] if self.time_major else shape[0])
        return list(initial_state) if isinstance(initial_state, (list, tuple)) else [initial_state]

    def call(self, sequences, initial_state=None, mask=None, training=None, constants=None):
        if type(sequences) is list and len(sequences) > 1:
            initial_state, sequences = list(sequences[1:]), sequences[0]
        if isinstance(mask, (list, tuple)):
            mask = mask[0]
        states = self._first_states(sequences, initial_state)
        x = sequences if self.time_major else _swapped(sequences)
        if mask is not None:
            mask = wrap(put(mask._h, "pred"))
            mask = (mask if self.time_major else _swapped(mask))._h
        cell = self.cell
        prepare = getattr(cell, "_prepare", None)
        if prepare is not None:
            prepare(_rows(x, 0), states, training)
        self._steps = dims(flat(x)[0]._h)[0]
        fused = getattr(cell, "_fused", None)
        if fused is not None and fused(training) and constants is None:
            rows, last, states = self._at_once(x, states, training)
            return self._given_back(rows, last, states)
        names = [row[0] for row in _python.signature(cell.call)]
        given = {"training": training} if "training" in names and training is not None else {}
        if constants is not None:
            given["constants"] = list(constants)
        run = self._unrolled if self.unroll and self._steps <= 64 else self._looped
        return self._given_back(*run(x, mask, states, given))

    def _given_back(self, rows, last, states):
        out = last
        if self.return_sequences:
            out = rows if self.time_major else _swapped(rows)
        return [out] + list(states) if self.return_state else out

    def _at_once(self, x, states, training):
        """All steps as one op, of cells that XLA's lowering knows as a recurrent kernel."""
        cell = self.cell
        x = _swapped(x)._h
        if training and cell.dropout:
            x = op("tw.dropout", [x], {"rate": float(cell.dropout), "shared": [1]})
        parts = cell._parts(code(x))
        if len(parts) == 3 and states and _t.numbers(states[0]._h) is None:
            parts.append(put(states[0]._h, code(x)))
        y = op("tw.recurrent", [x] + parts, {"cell": cell._op, "reverse": bool(self.go_backwards)})
        end = 0 if self.go_backwards else self._steps - 1
        last = cut(y, 1, end, end + 1)
        last = wrap(reshape(last, (dims(last)[0], dims(last)[2])))
        rows = _swapped(wrap(y)) if self.return_sequences else None
        return rows, last, [last for _ in states]

    def _step(self, x, kept, states, given, before=None):
        """One step; where `kept` is false nothing changes."""
        y, new = self.cell(x, list(states), **given)
        new = list(new) if isinstance(new, (list, tuple)) else [new]
        if kept is not None:
            olds = iter(flat(states))
            new = map_tensors(lambda s: wrap(_chosen(kept, s._h, next(olds)._h)), new)
            zero = self.zero_output_for_mask or before is None
            olds = iter([] if zero else flat(before))
            y = map_tensors(lambda s: wrap(_chosen(
                kept, s._h, full(0, dims(s._h), code(s._h)) if zero else next(olds)._h)), y)
        return y, new

    def _unrolled(self, x, mask, states, given):
        n, rows, y = self._steps, [], None
        for t in range(n):
            i = n - 1 - t if self.go_backwards else t
            y, states = self._step(_rows(x, i), None if mask is None else _row(mask, i), states,
                                   given, y)
            rows.append(flat(y))
        if not self.return_sequences:
            return None, y, states
        columns = iter([wrap(op("tw.stack", [r[j]._h for r in rows], {"dim": 0}))
                        for j in range(len(rows[0]))])
        return map_tensors(lambda s: next(columns), y), y, states

    def _looped(self, x, mask, states, given):
        n = self._steps
        # What a masked step hands on is the output before it.
        before = self._before(x, states) if mask is not None else []
        carried = [s._h for s in flat(states)]
        hs = _t.loop_begin(n, carried + [b._h for b in before])
        if _t.is_unknown(hs):
            return hs, hs, states
        try:
            inner = iter(hs[1:])
            states = map_tensors(lambda s: wrap(next(inner)), states)
            before = [wrap(next(inner)) for _ in before]
            i = hs[0]
            if self.go_backwards:
                i = op("tw.binary", [_t.known(n - 1, "s32"), i], {"kind": "subtract"})
            y, states = self._step(_rows(x, i), None if mask is None else _row(mask, i), states,
                                   given, before or None)
            rows = None
            if self.return_sequences:
                rows = map_tensors(lambda s: wrap(_t.loop_stack(s._h)), y)
        finally:
            _t.loop_end()
        return rows, y, states

    def _before(self, x, states):
        size = getattr(self.cell, "output_size", None)
        if not isinstance(size, int) or self.zero_output_for_mask:
            return []
        return [wrap(full(0, [dims(flat(x)[0]._h)[1], size], code_of(self.compute_dtype)))]

    def compute_mask(self, inputs, mask=None):
        if isinstance(mask, (list, tuple)):
            mask = mask[0]
        out = mask if self.return_sequences else None
        if self.return_state:
            return [out] + [None] * len(flat(self._state_list()))
        return out

    def _state_list(self):
        size = self.cell.state_size
        return list(size) if isinstance(size, (list, tuple)) else [size]

    def compute_output_shape(self, sequences_shape, initial_state_shape=None):
        shape = tuple(sequences_shape)
        batch = shape[1] if self.time_major else shape[0]
        sizes = self._state_list()
        size = getattr(self.cell, "output_size", sizes[0])
        tail = tuple(size) if isinstance(size, (tuple, list)) else (size,)
        out = shape[:2] + tail if self.return_sequences else (batch,) + tail
        if self.return_state:
            return [out] + [(batch,) + (tuple(s) if isinstance(s, (tuple, list)) else (s,))
                            for s in sizes]
        return out

    def reset_states(self, states=None):
        pass

    reset_state = reset_states


def _of_cell(name):
    return property(lambda self: getattr(self.cell, name))


class CellRNN(RNN):
    """A layer of one of Keras's cells; its arguments are those of the cell."""
    _cell = None
    _loops = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll",
              "zero_output_for_mask", "time_major")

    def _start(self, kwargs, arguments):
        loops = {name: kwargs.pop(name) for name in self._loops if name in kwargs}
        for name in ("implementation", "use_cudnn", "recurrent_kernel", "autocast"):
            if name in kwargs:
                arguments.setdefault("implementation", kwargs.pop(name))
        arguments.pop("implementation", None)
        regularizer = kwargs.pop("activity_regularizer", None)
        dtype = kwargs.get("dtype")
        RNN.__init__(self, self._cell(dtype=dtype, **arguments), activity_regularizer=regularizer,
                     **loops, **kwargs)

    def __getattr__(self, name):
        if name in _CELL:
            return getattr(self.cell, name)
        raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name
                             + "'")


_CELL = ("units", "activation", "recurrent_activation", "use_bias", "kernel_initializer",
         "recurrent_initializer", "bias_initializer", "unit_forget_bias", "kernel_regularizer",
         "recurrent_regularizer", "bias_regularizer", "kernel_constraint",
         "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout",
         "reset_after", "implementation", "filters", "kernel_size", "strides", "padding",
         "data_format", "dilation_rate")
