"""Recurrent networks over time: dynamic_rnn and its relatives."""

import _tilewise as _t
from tensorflow import nest
from tensorflow._tensor import handle, wrap
from tensorflow._tf1 import leaf as L
from tensorflow._tf1 import rnn_cell as _c
from tensorflow._tf1.scopes import variable_scope


def _swapped(h):
    return L.op("tw.transpose", [h], {"permutation": [1, 0] + list(range(2, len(L.dims(h))))})


def _last(h, axis, backwards=False):
    at = 0 if backwards else L.dims(h)[axis] - 1
    return L.op("tw.take", [h, _t.known(at, "s32")], {"axis": axis})


def _fused(cell, x, state, backwards):
    """All steps as one op, of cells that it knows; x is [n, time, features]."""
    parts = cell.weights_of(L.dims(x)[-1])
    if parts is None:
        return None
    if state is not None:
        first = handle(state[1] if isinstance(state, tuple) else state)
        if not _t.is_unknown(first):
            parts.append(L.convert(first, L.code(x)))
    y = L.op("tw.recurrent", [x] + parts, {"cell": cell.recurrent, "reverse": backwards})
    end = wrap(_last(y, 1, backwards))
    state = _c.LSTMStateTuple(end, end) if cell.recurrent == "lstm" else end
    return y, state


def _over_time(cell, x, state, backwards):
    """(outputs, last state) of x [n, time, features]."""
    if isinstance(cell, _c.MultiRNNCell):
        ends = []
        with variable_scope(cell.base_name):
            for i, inner in enumerate(cell._cells):
                with variable_scope("cell_" + str(i)):
                    x, end = _over_time(inner, x, state[i] if state is not None else None,
                                        backwards)
                ends.append(end)
        return x, tuple(ends)
    if isinstance(cell, _c.DropoutWrapper):
        y, end = _over_time(cell._cell, L.dropout(x, cell.input_rate), state, backwards)
        return L.dropout(y, cell.output_rate), end
    if isinstance(cell, _c.ResidualWrapper):
        y, end = _over_time(cell._cell, x, state, backwards)
        return L.binary("add", y, x), end
    if isinstance(cell, _c.DeviceWrapper):
        return _over_time(cell._cell, x, state, backwards)
    if getattr(cell, "recurrent", None):
        found = _fused(cell, x, state, backwards)
        if found is not None:
            return found
    return _by_loop(cell, x, state)


def _by_loop(cell, x, state):
    n, steps = L.dims(x)[0], L.dims(x)[1]
    if state is None:
        from tensorflow._dtypes import BY_CODE
        state = cell.zero_state(n, BY_CODE[L.code(x)])
    leaves = nest.flatten(state)
    # Weights are made outside of the loop.
    first = wrap(L.op("tw.take", [x, _t.known(0, "s32")], {"axis": 1}))
    cell(first, state)
    inside = _t.loop_begin(steps, [handle(s) for s in leaves])
    now = nest.pack_sequence_as(state, [wrap(h) for h in inside[1:]])
    at = wrap(L.op("tw.take", [x, inside[0]], {"axis": 1}))
    y, new = cell(at, now)
    rows = _t.loop_stack(handle(y))
    kept = [_t.loop_stack(handle(s)) for s in nest.flatten(new)]
    _t.loop_end()
    ends = [wrap(_last(h, 0)) for h in kept]
    return _swapped(rows), nest.pack_sequence_as(new, ends)


def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None,
                parallel_iterations=None, swap_memory=False, time_major=False, scope=None,
                _backwards=False):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x, x
    with variable_scope(scope or "rnn"):
        if time_major:
            x = _swapped(x)
        y, state = _over_time(cell, x, initial_state, _backwards)
        if time_major:
            y = _swapped(y)
    return wrap(y), state


def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None,
                              initial_state_fw=None, initial_state_bw=None, dtype=None,
                              parallel_iterations=None, swap_memory=False, time_major=False,
                              scope=None):
    with variable_scope(scope or "bidirectional_rnn"):
        a, ends_a = dynamic_rnn(cell_fw, inputs, None, initial_state_fw, dtype,
                                time_major=time_major, scope="fw")
        b, ends_b = dynamic_rnn(cell_bw, inputs, None, initial_state_bw, dtype,
                                time_major=time_major, scope="bw", _backwards=True)
    return (a, b), (ends_a, ends_b)


def _stacked(inputs):
    return L.op("tw.stack", [handle(x) for x in inputs], {"dim": 1})


def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    y, state = dynamic_rnn(cell, wrap(_stacked(inputs)), None, initial_state, dtype, scope=scope)
    return _rows(y, len(inputs)), state


def _rows(y, n):
    return [wrap(L.op("tw.take", [handle(y), _t.known(i, "s32")], {"axis": 1})) for i in range(n)]


def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None,
                             initial_state_bw=None, dtype=None, sequence_length=None, scope=None):
    (a, b), (ends_a, ends_b) = bidirectional_dynamic_rnn(
        cell_fw, cell_bw, wrap(_stacked(inputs)), dtype=dtype, scope=scope)
    both = wrap(L.op("tw.concatenate", [handle(a), handle(b)], {"dim": 2}))
    return _rows(both, len(inputs)), ends_a, ends_b


def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None,
                            scope=None):
    return static_rnn(cell, inputs, scope=scope)


def raw_rnn(*args, **kw):
    reason = "raw_rnn, whose steps a function decides"
    return _t.unknown(reason), _t.unknown(reason), None


