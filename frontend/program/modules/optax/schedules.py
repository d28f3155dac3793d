"""Schedules: functions of the step, whose highest value is kept as `peak`."""

import math

import _tilewise as _t
from jax import _core as _c


class Schedule:
    """`function(step)` on plain numbers, called with ints or arrays."""

    def __init__(self, kind, peak, function):
        self.kind = kind
        self.peak = peak
        self.function = function
        self.__name__ = kind

    def __call__(self, count=0):
        n = count
        if isinstance(count, _c.Array):
            n = _c.number_of(count)
        elif not isinstance(count, (int, float)):
            n = None
        if n is None:
            # The number of the step is data: a value that depends on it.
            if isinstance(count, _c.Array):
                r = _c.binary("multiply", _c.convert(count, _c.float32), 0.0)
                return _c.binary("add", r, self.peak if self.peak is not None else 1.0)
            return _t.unknown("the schedule at a step that is not known")
        v = self.function(n)
        return v if isinstance(v, _c.Array) else _c.known(float(v), _c.float32)


_STEPS = (0, 1, 30, 100, 300, 1000, 2000, 3000, 5000, 8000, 10000, 15000, 20000, 30000, 50000,
          70000, 100000, 200000, 400000)


def _at(f, step):
    """The number that a function gives at a step, or None."""
    try:
        v = f(step)
    except (TypeError, ValueError, KeyError, AttributeError, ZeroDivisionError, IndexError):
        return None
    if _t.is_unknown(v):
        return None
    if isinstance(v, _c.Array):
        v = _c.number_of(v)
    return abs(v) if isinstance(v, (int, float)) else None


def peak_of(f):
    """The highest value of a number, an array or a schedule, when it can be known."""
    if isinstance(f, (int, float)):
        return f
    if isinstance(f, Schedule):
        return f.peak
    if isinstance(f, _c.Array):
        return _c.number_of(f)
    if f is None or _t.is_unknown(f) or not callable(f):
        return None
    values = []
    for s in _STEPS:
        v = _at(f, s)
        if v is None:
            break
        values.append(v)
    if not values:
        return None
    best = max(values)
    i = values.index(best)
    low = _STEPS[max(i - 1, 0)]
    high = _STEPS[min(i + 1, len(values) - 1)]
    # Schedules rise once and fall once.
    while high - low > 2:
        a = low + (high - low) // 3
        b = high - (high - low) // 3
        x, y = _at(f, a), _at(f, b)
        if x is None or y is None:
            break
        best = max(best, x, y)
        if x < y:
            low = a
        else:
            high = b
    return max([best] + [v for v in (_at(f, s) for s in range(low, high + 1)) if v is not None]) \
        if high - low <= 2 else best


def _n(x, otherwise=0.0):
    """A plain number of what a program gives."""
    if isinstance(x, (int, float)):
        return x
    if isinstance(x, _c.Array):
        n = _c.number_of(x)
        return otherwise if n is None else n
    try:
        return float(x)
    except (TypeError, ValueError):
        return otherwise


def constant_schedule(value):
    v = _n(value)
    return Schedule("constant", v, lambda s: v)


def polynomial_schedule(init_value, end_value, power, transition_steps, transition_begin=0):
    a, b = _n(init_value), _n(end_value)
    steps, begin = _n(transition_steps, 1), _n(transition_begin)

    def f(s):
        if steps <= 0:
            return a
        c = min(max(s - begin, 0), steps)
        return (a - b) * (1 - c / steps) ** power + b
    return Schedule("polynomial", max(a, b), f)


def linear_schedule(init_value, end_value, transition_steps, transition_begin=0):
    r = polynomial_schedule(init_value, end_value, 1, transition_steps, transition_begin)
    r.kind = "linear"
    return r


def cosine_decay_schedule(init_value, decay_steps, alpha=0.0, exponent=1.0):
    v, n = _n(init_value), max(_n(decay_steps, 1), 1)

    def f(s):
        c = 0.5 * (1 + math.cos(math.pi * min(s, n) / n))
        return v * ((1 - alpha) * c ** exponent + alpha)
    return Schedule("cosine", v, f)


def exponential_decay(init_value, transition_steps, decay_rate, transition_begin=0,
                      staircase=False, end_value=None):
    v, n = _n(init_value), max(_n(transition_steps, 1), 1)
    rate = _n(decay_rate, 1.0)

    def f(s):
        p = max(s - transition_begin, 0) / n
        if staircase:
            p = math.floor(p)
        r = v * rate ** p
        if end_value is not None:
            r = max(r, end_value) if rate < 1 else min(r, end_value)
        return r
    return Schedule("exponential", v, f)


def join_schedules(schedules, boundaries):
    cuts = [_n(b) for b in boundaries]
    schedules = list(schedules)
    peaks = [p for p in [peak_of(s) for s in schedules] if p is not None]

    def f(s):
        i = 0
        while i < len(cuts) and s >= cuts[i]:
            i += 1
        return schedules[i](s - (cuts[i - 1] if i else 0))
    kinds = [getattr(s, "kind", "function") for s in schedules]
    return Schedule("+".join(kinds), max(peaks) if peaks else None, f)


def warmup_cosine_decay_schedule(init_value, peak_value, warmup_steps, decay_steps, end_value=0.0,
                                 exponent=1.0):
    peak = _n(peak_value)
    alpha = _n(end_value) / peak if peak else 0.0
    r = join_schedules([linear_schedule(init_value, peak, warmup_steps),
                        cosine_decay_schedule(peak, _n(decay_steps, 1) - _n(warmup_steps), alpha,
                                              exponent)], [warmup_steps])
    r.kind = "warmup+cosine"
    return r


def warmup_exponential_decay_schedule(init_value, peak_value, warmup_steps, transition_steps,
                                      decay_rate, transition_begin=0, staircase=False,
                                      end_value=None):
    return join_schedules([linear_schedule(init_value, peak_value, warmup_steps),
                           exponential_decay(peak_value, transition_steps, decay_rate,
                                             transition_begin, staircase, end_value)],
                          [warmup_steps])


def warmup_constant_schedule(init_value, peak_value, warmup_steps):
    return linear_schedule(init_value, peak_value, warmup_steps)


def piecewise_constant_schedule(init_value, boundaries_and_scales=None):
    pairs = sorted((boundaries_and_scales or {}).items())
    v = _n(init_value)

    def f(s):
        r = v
        for b, k in pairs:
            if s >= b:
                r = r * k
        return r
    peak = v
    r = v
    for _, k in pairs:
        r = r * k
        peak = max(peak, r)
    return Schedule("piecewise", peak, f)


def piecewise_interpolate_schedule(interpolate_type, init_value, boundaries_and_scales=None):
    r = piecewise_constant_schedule(init_value, boundaries_and_scales)
    r.kind = interpolate_type
    return r


def cosine_onecycle_schedule(transition_steps, peak_value, pct_start=0.3, div_factor=25.0,
                             final_div_factor=1e4):
    n = _n(transition_steps, 1)
    return warmup_cosine_decay_schedule(_n(peak_value) / div_factor, peak_value,
                                        int(pct_start * n), n)


def linear_onecycle_schedule(transition_steps, peak_value, pct_start=0.3, pct_final=0.85,
                             div_factor=25.0, final_div_factor=1e4):
    return cosine_onecycle_schedule(transition_steps, peak_value, pct_start, div_factor)


def sgdr_schedule(cosine_kwargs):
    parts = [warmup_cosine_decay_schedule(**kw) for kw in cosine_kwargs]
    cuts = []
    total = 0
    for kw in cosine_kwargs[:-1]:
        total += kw["decay_steps"]
        cuts.append(total)
    return join_schedules(parts, cuts)
