"""Control flow, functions, loops on the device."""

import math as _m
import _tilewise
from tensorflow import _dtypes, nest
from tensorflow._public import state
from tensorflow._tape import counts
from tensorflow._tensor import Tensor, convert, handle, number_of, pair, tensor, wrap

_op = _tilewise.op
_unk = _tilewise.is_unknown
_UNROLL = 16
loops = [0]  # loops of the tracer that are open


def function(func=None, input_signature=None, autograph=True, jit_compile=None,
             reduce_retracing=False, experimental_implements=None,
             experimental_autograph_options=None, experimental_attributes=None,
             experimental_relax_shapes=None, experimental_compile=None,
             experimental_follow_type_hints=None):
    if jit_compile or experimental_compile:
        _tilewise.record("compile", jit_compile=True)
    if func is None:
        return lambda f: function(f, input_signature)

    def wrapper(*args, **kwargs):
        before = counts["backward"]
        made = func(*args, **kwargs)
        if counts["backward"] != before:
            _tilewise.record("executed")
        return made
    wrapper.__name__ = getattr(func, "__name__", "function")
    wrapper.__wrapped__ = func
    wrapper.python_function = func
    wrapper.input_signature = input_signature
    wrapper.get_concrete_function = lambda *args, **kwargs: _Concrete(wrapper, args, kwargs)
    wrapper.experimental_get_tracing_count = lambda: 1
    wrapper.experimental_get_compiler_ir = lambda *args: _tilewise.unknown("compiled code")
    return wrapper


class _Concrete:
    def __init__(self, func, args, kwargs):
        self.func, self.args = func, args
        self.name = getattr(func, "__name__", "function")
        self.inputs = self.outputs = []
        self.structured_input_signature = (args, kwargs)

    def __call__(self, *args, **kwargs):
        return self.func(*args, **kwargs)

    @property
    def graph(self):
        import tensorflow
        return tensorflow.Graph()


# ---- branches


def _select(pred, a, b):
    """Of the results of two branches."""
    def one(x, y):
        if x is None or y is None or _unk(x) or _unk(y):
            return x if y is None or _unk(y) else y
        if isinstance(x, Tensor) or isinstance(y, Tensor):
            m, n = pair(x, y)
            if tuple(_tilewise.shape(m)) == tuple(_tilewise.shape(n)):
                return wrap(_op("tw.select", [handle(pred), m, n]))
        return x
    if len(nest.flatten(a)) != len(nest.flatten(b)):
        return a
    return nest.map_structure(one, a, b)


def cond(pred=None, true_fn=None, false_fn=None, name=None, fn1=None, fn2=None, strict=False):
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    known = pred if isinstance(pred, bool) else number_of(pred)
    if known is not None:
        chosen = true_fn if known else false_fn
        return chosen() if callable(chosen) else chosen
    if _unk(pred):
        return true_fn()
    if counts["backward"]:
        before = counts["backward"]
        made = true_fn()
        if counts["backward"] != before:
            return made
        return _select(pred, made, false_fn())
    return _select(pred, true_fn(), false_fn())


smart_cond = cond


def switch_case(branch_index, branch_fns, default=None, name=None):
    fns = branch_fns if isinstance(branch_fns, dict) else {
        i: f[1] if isinstance(f, tuple) else f for i, f in enumerate(branch_fns)}
    known = number_of(branch_index)
    if known is not None:
        chosen = fns.get(int(known), default)
        return chosen()
    made = None
    for i, f in fns.items():
        value = f()
        made = value if made is None else _select(tensor(branch_index) == i, value, made)
    return made


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else pred_fn_pairs
    open_pairs = []
    made = None
    for pred, f in pairs:
        known = number_of(pred)
        if known:
            made = f()
            break
        if known is None:
            open_pairs.append((pred, f))
    else:
        made = default() if default is not None else None
    for pred, f in open_pairs[::-1]:
        value = f()
        made = value if made is None else _select(pred, value, made)
    return made


# ---- loops


def _rows(x, n):
    """What makes row i of the leaves of `x`, for i an int or a counter of the loop."""
    def at(i):
        def one(leaf):
            if isinstance(i, int) or not hasattr(leaf, "_h"):
                return leaf[i]
            return wrap(_op("tw.take", [handle(leaf), i], {"axis": 0}))
        return nest.map_structure(one, x)
    return at


def _tensors(x):
    return nest.map_structure(lambda v: v if _unk(v) or not _is_value(v) else tensor(v), x)


def _is_value(v):
    return isinstance(v, (Tensor, bool, int, float)) or hasattr(v, "dtype") and hasattr(v, "shape")


def looped(trips, carry, body):
    """`body(i, carry)` -> (carry, row): the last carry and all rows.

    Few trips are traced each, more in a loop of the tracer; a body that trains once.
    """
    if trips <= 0:
        return carry, None
    before = counts["backward"]
    if trips > _UNROLL:
        done = _one_loop(trips, carry, body, before)
        if done is not None:
            return done
        _tilewise.note("a loop of " + str(trips) + " rounds is counted as " + str(_UNROLL))
    rows = []
    for i in range(min(trips, _UNROLL)):
        carry, row = body(i, carry)
        rows.append(row)
        if counts["backward"] != before:
            break
    if not rows or rows[0] is None:
        return carry, None
    while len(rows) < trips:
        rows.append(rows[-1])
    return carry, nest.map_structure(lambda *xs: _stacked(xs), *rows)


def _stacked(xs):
    return tensor(list(xs)) if _is_value(xs[0]) else xs[0]


def _one_loop(trips, carry, body, before):
    leaves = nest.flatten(_tensors(carry))
    for x in leaves:
        if isinstance(x, Tensor) and _unk(x._h) or _unk(x):
            return None
    hs = _tilewise.loop_begin(trips, [handle(x) if isinstance(x, Tensor) else None
                                      for x in leaves])
    loops[0] += 1
    try:
        inner = nest.pack_sequence_as(carry, [x if h is None else wrap(h)
                                              for x, h in zip(leaves, hs[1:])])
        carry, row = body(hs[0], inner)
        if row is not None:
            row = nest.map_structure(lambda y: wrap(_tilewise.loop_stack(handle(y)))
                                     if _is_value(y) else y, row)
    finally:
        loops[0] -= 1
        _tilewise.loop_end()
    if counts["backward"] != before:
        _tilewise.note("a training step within a loop on the device is counted for each round")
    return carry, row


def _count(elems):
    for x in nest.flatten(elems):
        if not _unk(x):
            return len(x)
    return None


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False,
           infer_shape=True, name=None, fn_output_signature=None):
    if _unk(elems):
        return elems
    elems = nest.map_structure(lambda x: x if hasattr(x, "shape") and isinstance(x, Tensor) or
                               hasattr(x, "row_splits") else tensor(x), elems)
    n = _count(elems)
    if n is None:
        return _tilewise.unknown("map_fn over what is not known")
    at = _rows(elems, n)
    if _tilewise.open_size(n) is None:
        row = _tensors(fn(at(0)))
        return nest.map_structure(lambda y: _repeated(y, n), row)
    return looped(n, (), lambda i, c: (c, _tensors(fn(at(i)))))[1]


def _repeated(y, n):
    h = handle(y)
    if _unk(h):
        return h
    sizes = [n] + list(_tilewise.shape(h))
    return wrap(_op("tw.broadcast_in_dim", [h], {"shape": sizes,
                                                 "dims": list(range(1, len(sizes)))}))


def vectorized_map(fn, elems, fallback_to_while_loop=True, warn=True):
    return map_fn(fn, elems)


def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
         infer_shape=True, reverse=False, name=None):
    elems = _tensors(elems)
    n = _count(elems)
    at = _rows(elems, n)
    first = None
    if initializer is None:
        first = at(n - 1 if reverse else 0)
        carry, left = first, n - 1
    else:
        carry, left = _tensors(initializer), n

    def body(i, c):
        if isinstance(i, int):
            place = left - 1 - i if reverse else i + n - left
        else:
            place = _op("tw.binary", [i, _tilewise.known(n - left, "s32")], {"kind": "add"})
        made = _tensors(fn(c, at(place)))
        return made, made
    _, rows = looped(left, carry, body)
    if first is not None:
        from tensorflow._array import concat
        rows = nest.map_structure(lambda f, r: concat([tensor([f]), r], 0), first, rows)
    if reverse:
        from tensorflow._array import reverse as flip
        rows = nest.map_structure(lambda r: flip(r, [0]), rows)
    return rows


def foldl(fn, elems, initializer=None, **options):
    return nest.map_structure(lambda r: r[-1], scan(fn, elems, initializer))


def foldr(fn, elems, initializer=None, **options):
    return nest.map_structure(lambda r: r[0], scan(fn, elems, initializer, reverse=True))


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10,
               back_prop=True, swap_memory=False, maximum_iterations=None,
               return_same_structure=True, name=None):
    values = _tensors(list(loop_vars)) if isinstance(loop_vars, (list, tuple)) else [loop_vars]
    limit = number_of(maximum_iterations)
    before = counts["backward"]

    def again(given):
        made = body(*given)
        made = list(made) if isinstance(made, (list, tuple)) else [made]
        return _tensors(made if len(made) == len(given) else [made])
    rounds = 0
    while rounds < 32 and (limit is None or rounds < limit):
        truth = cond(*values)
        known = truth if isinstance(truth, bool) else number_of(truth)
        if known is None:
            return _by_data(again, values, limit, rounds)
        if not known:
            return _out(loop_vars, values)
        if rounds == 2:
            trips = _trips(cond, values, last)
            if trips is not None and trips > 32:
                return _out(loop_vars, _long(again, values, min(trips, limit or trips)))
        last = values
        values = again(values)
        rounds += 1
        if counts["backward"] != before:
            return _out(loop_vars, values)
    return _out(loop_vars, values)


def _out(loop_vars, values):
    if not isinstance(loop_vars, (list, tuple)):
        return values[0]
    return type(loop_vars)(values) if not hasattr(loop_vars, "_fields") else tuple(values)


def _by_data(again, values, limit, rounds):
    if limit is not None and limit - rounds > 1:
        return _long(again, values, int(limit - rounds))
    _tilewise.note("a while loop that ends by data is counted as one round")
    return again(values)


def _long(again, values, trips):
    return list(looped(trips, tuple(values), lambda i, c: (tuple(again(list(c))), None))[0])


def _trips(cond, values, last):
    """Rounds that are left, by the numbers that each round changes by the same amount."""
    steps = []
    for a, b in zip(last, values):
        x, y = number_of(a) if isinstance(a, Tensor) else None, \
            number_of(b) if isinstance(b, Tensor) else None
        steps.append(None if x is None or y is None else y - x)

    def holds(k):
        at = [v if s is None or not s else tensor(number_of(v) + s * k, v.dtype)
              for v, s in zip(values, steps)]
        return number_of(cond(*at))
    high = 1
    while high < 1 << 30:
        truth = holds(high)
        if truth is None:
            return None
        if not truth:
            break
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return high


def py_function(func=None, inp=None, Tout=None, name=None):
    if func is None:
        return lambda f: lambda *args: py_function(f, args, Tout)
    made = func(*inp)
    return _typed(made, Tout)


def numpy_function(func=None, inp=None, Tout=None, stateful=True, name=None):
    if func is None:
        return lambda f: lambda *args: numpy_function(f, args, Tout)
    args = [x.numpy() if isinstance(x, Tensor) else x for x in inp]
    return _typed(func(*args), Tout)


py_func = numpy_function


def _typed(made, types):
    from tensorflow._strings import outside

    def one(x, t):
        if x is None or _unk(x):
            return outside(None, t, "what a Python function makes")
        return tensor(x, t) if not isinstance(x, (str, bytes)) else tensor(x)
    if isinstance(types, (list, tuple)):
        if not isinstance(made, (list, tuple)):
            made = [made] * len(types)
        return [one(x, t) for x, t in zip(made, types)]
    return made if types is None else one(made, types)


def group(*inputs, **kwargs):
    return None


def tuple_(tensors, name=None, control_inputs=None):
    return tensors


def no_op(name=None):
    return None


def Assert(condition, data, summarize=None, name=None):
    return None


class context:
    """Of `with`: it does nothing."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class name_scope:
    def __init__(self, name=None, default_name=None, values=None, skip_on_eager=True):
        self.name = name or default_name or ""

    def __enter__(self):
        self.before = state.scope
        state.scope = "" if not self.name else self.name if self.name.endswith("/") else \
            state.scope + self.name + "/"
        return state.scope

    def __exit__(self, *error):
        state.scope = self.before
        return False


class variable_creator_scope:
    def __init__(self, variable_creator):
        self.creator = variable_creator

    def __enter__(self):
        state.creators = state.creators + [self.creator]
        return self

    def __exit__(self, *error):
        state.creators = state.creators[:-1]
        return False
