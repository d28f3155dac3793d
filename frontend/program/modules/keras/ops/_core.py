"""Control flow and what is no arithmetic."""

import _tilewise as _t
from keras import _leaf as _l
from keras._leaf import Tensor, code, code_of, dims, h_of, op, put, sizes, wrap
from keras._node import flat, map_tensors


def convert_to_tensor(x, dtype=None, sparse=None, ragged=None):
    h = h_of(x)
    if dtype is None:
        return x if isinstance(x, Tensor) and not x._is_variable else wrap(h)
    return wrap(put(h, code_of(dtype)))


def convert_to_numpy(x):
    return x.numpy() if isinstance(x, Tensor) else x


def is_tensor(x):
    return isinstance(x, Tensor)


def dtype(x):
    from keras.utils._basics import standardize_dtype
    return standardize_dtype(x.dtype)


def stop_gradient(variable):
    from tensorflow import stop_gradient as stop
    found = stop(variable)
    return variable if _t.is_unknown(found) else found


def custom_gradient(f):
    def wrapper(*args, **kwargs):
        out = f(*args, **kwargs)
        return out[0] if isinstance(out, tuple) else out
    return wrapper


def cond(pred, true_fn, false_fn):
    from tensorflow._control import cond as run
    return run(pred, true_fn, false_fn)


def switch(index, branches, *operands):
    n = index if isinstance(index, int) else _l.known_int(h_of(index))
    if n is not None:
        return branches[max(0, min(int(n), len(branches) - 1))](*operands)
    from tensorflow._control import switch_case
    return switch_case(index, [lambda b=b: b(*operands) for b in branches])


def while_loop(cond, body, loop_vars, maximum_iterations=None):
    from tensorflow._control import while_loop as run
    listed = isinstance(loop_vars, (tuple, list))
    out = run(cond, body, list(loop_vars) if listed else [loop_vars],
              maximum_iterations=maximum_iterations)
    if _t.is_unknown(out):
        return out
    return tuple(out) if listed else out[0] if isinstance(out, (list, tuple)) else out


def fori_loop(lower, upper, body_fun, init_val):
    ends = [v if isinstance(v, int) else _l.known_int(h_of(v)) for v in (lower, upper)]
    value = init_val
    if None in ends:
        _t.note("a loop whose length is data is taken as one round")
        return body_fun(lower, value)
    n = int(ends[1] - ends[0])
    if n <= 0:
        return value
    if n <= 16:
        for i in range(ends[0], ends[1]):
            value = body_fun(wrap(_t.known(i, "s32")), value)
        return value

    def step(i, state):
        at = _l.binary("add", i, int(ends[0])) if ends[0] else i
        return None, body_fun(wrap(at), state)
    return _looped(n, step, value)[1]


def _looped(n, step, state):
    """`step(i, state)` -> (row, state), traced once for n rounds; rows are stacked."""
    state = map_tensors(lambda x: wrap(h_of(x)), state)
    hs = _t.loop_begin(n, [x._h for x in flat(state)])
    try:
        inner = iter(hs[1:])
        row, state = step(hs[0], map_tensors(lambda x: wrap(next(inner)), state))
        rows = None if row is None else map_tensors(lambda x: wrap(_t.loop_stack(x._h)), row)
    finally:
        _t.loop_end()
    return rows, state


def _row(x, i):
    return map_tensors(lambda t: wrap(op("tw.take", [t._h, i], {"axis": 0})), x)


def map(f, xs):
    n = dims(flat(xs)[0]._h)[0]
    return _looped(n, lambda i, s: (f(_row(xs, i)), s), [])[0]


def vectorized_map(function, elements):
    return map(function, elements)


def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    n = length if xs is None else dims(flat(xs)[0]._h)[0]

    def step(i, state):
        if reverse:
            i = _l.sub(n - 1, i)
        state, y = f(state, None if xs is None else _row(xs, i))
        return y, state
    rows, state = _looped(int(n), step, init)
    if reverse and rows is not None:
        rows = map_tensors(lambda t: wrap(_l.reverse(t._h, 0)), rows)
    return state, rows


def associative_scan(f, elems, reverse=False, axis=0):
    """Doublings: each adds what lies 1, 2, 4 ... places before."""
    n = dims(flat(elems)[0]._h)[axis]
    by = 1
    while by < n:
        def moved(t):
            h = _l.cut(t._h, axis, 0, n - by)
            low = [0] * len(dims(t._h))
            low[axis] = by
            return wrap(_l.pad(h, low, [0] * len(low)))
        elems = f(map_tensors(moved, elems), elems)
        by *= 2
    return elems


def scatter(indices, values, shape):
    v = h_of(values)
    return wrap(op("tw.scatter_nd", [_l.full(0, sizes(shape), code(v)), put(h_of(indices), "s32"),
                                     v], {"kind": "add"}))


def scatter_update(inputs, indices, updates):
    return wrap(op("tw.scatter_nd", [h_of(inputs), put(h_of(indices), "s32"), h_of(updates)],
                   {"kind": "assign"}))


def _starts(start_indices):
    if isinstance(start_indices, Tensor):
        h = start_indices._h
        return [_l.at(h, 0, i) for i in range(dims(h)[0])]
    return [put(h_of(i), "s32") for i in start_indices]


def slice(inputs, start_indices, shape):
    h, wanted = h_of(inputs), sizes(shape)
    # A size that stands for one that is not known yet may be more than there is.
    there = [1 if n > have else n for n, have in zip(wanted, dims(h))]
    part = op("tw.dynamic_slice", [h] + _starts(start_indices), {"sizes": there})
    return wrap(part if there == wanted else _l.broadcast(part, wanted))


def slice_update(inputs, start_indices, updates):
    return wrap(op("tw.dynamic_update_slice", [h_of(inputs), h_of(updates)]
                   + _starts(start_indices)))


def unstack(x, num=None, axis=0):
    from keras.ops._arrange import unstack as run
    return run(x, num, axis)


def rearrange(tensor, pattern, **axes_lengths):
    import einops
    return einops.rearrange(tensor, pattern, **axes_lengths)
