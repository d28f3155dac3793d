"""x[...]: slices, new dims, places that are data, masks."""

import _tilewise
from tensorflow._public import state
from tensorflow._tensor import Tensor, handle, number_of, wrap

_op = _tilewise.op
_unk = _tilewise.is_unknown
_END = 1 << 40
_ROWS = 256  # of a loop over a tensor; more are one
_HOST_ROWS = 16  # of one in a pipeline, which is no part of a step


def rows(x, n):
    """What a loop over the first dim takes."""
    found = _tilewise.numbers(x._h)
    if found is not None:
        code = _tilewise.dtype(x._h)
        if len(found) > (_HOST_ROWS if state.host else _ROWS):
            found = found[:1]
        made = [wrap(_tilewise.known(v, code)) for v in found]
        if x._of_batch:
            made[0]._is_batch = True
        return _tilewise.counted(made, n)
    if _tilewise.open_size(n) is None:
        _tilewise.note("a loop over the rows of a tensor is taken as one round")
        return iter([getitem(x, 0)])
    if n > 4 * _ROWS:
        return _tilewise.counted([getitem(x, 0)], n)
    return _tilewise.counted([getitem(x, i) for i in range(n)], n)


def _bound(v):
    """A limit of a slice as an int; None where it is not known."""
    if v is None or isinstance(v, int):
        return v, True
    found = number_of(v)
    return (None, False) if found is None else (int(found), True)


class _Plan:
    def __init__(self, raw, size):
        self.raw = raw                # of the tensor that is indexed
        self.starts = [0] * size
        self.limits = [_END] * size
        self.strides = [1] * size
        self.cut = False              # a slice is needed
        self.longer = {}              # dims of which an open size takes more than there are
        self.shape = []               # after the slice: None a dim of it, 1 a new one
        self.dropped = []             # dims that an int took
        self.data = []                # (dim, tensor): places that are data


def _range(plan, dim, s):
    start, known_start = _bound(s.start)
    stop, known_stop = _bound(s.stop)
    step, _ = _bound(s.step)
    if not known_start or not known_stop:
        _moving(plan, dim, s, start, stop, known_start, known_stop)
        return
    if start is None and stop is None and step is None:
        return
    step = 1 if step is None else step
    plan.cut = True
    plan.strides[dim] = step
    if step < 0:
        plan.starts[dim] = _END if start is None else start
        plan.limits[dim] = -_END if stop is None else stop
        return
    plan.starts[dim] = 0 if start is None else start
    if stop is not None:
        plan.limits[dim] = stop
        if step == 1 and plan.starts[dim] == 0 and stop > plan.raw[dim] and \
                _tilewise.open_size(stop) is None:
            plan.longer[dim] = stop - plan.raw[dim]


def _lengthened(h, plan):
    """The first n of a dim are n where n is not known: the stand-in for it is a large number."""
    high = [plan.longer.get(d, 0) for d in range(len(plan.raw))]
    return _op("tw.pad", [h], {"low": [0] * len(high), "high": high, "value": 0})


def _moving(plan, dim, s, start, stop, known_start, known_stop):
    """Of x[i:i+n] n may be known though i is not: then a part of that size, from i on."""
    if not known_start and not known_stop:
        size = number_of(s.stop - s.start)
        if size is not None:
            plan.data.append((dim, s.start, int(size)))
            return
    _tilewise.note("a slice whose bounds are data is taken as the whole dim")


def _items(index, rank):
    items = list(index) if isinstance(index, (tuple, list)) else [index]
    used, gap = 0, -1
    for i, item in enumerate(items):
        if item is Ellipsis:
            gap = i
        elif item is not None:
            used += 1
    if gap >= 0:
        items[gap:gap + 1] = [slice(None)] * (rank - used)
    return items


def _plan(x, raw, index):
    plan = _Plan(raw, len(raw))
    dim = 0
    for item in _items(index, len(raw)):
        if item is None:
            plan.shape.append(1)
            continue
        if dim >= len(raw):
            raise IndexError("too many indices for a tensor of rank " + str(len(raw)))
        if isinstance(item, slice):
            _range(plan, dim, item)
            plan.shape.append(None)
        else:
            place = item if isinstance(item, int) else number_of(item)
            if place is None:
                plan.data.append((dim, item, 1))
            else:
                place = int(place)
                if place >= raw[dim] or place < -raw[dim]:
                    raise IndexError("index " + str(place) + " is out of bounds")
                plan.starts[dim] = place
                plan.limits[dim] = _END if place == -1 else place + 1
                plan.cut = True
            plan.dropped.append(dim)
        dim += 1
    plan.shape.extend([None] * (len(raw) - dim))
    return plan


def _by_data(h, plan):
    """Parts that begin at places that are data."""
    shape = _tilewise.shape(h)
    sizes = list(shape)
    starts = [_tilewise.known(0, "s32") for _ in shape]
    for dim, place, size in plan.data:
        start = handle(place)
        if _tilewise.shape(start):
            return None
        sizes[dim] = min(size, shape[dim])
        starts[dim] = start
    return _op("tw.dynamic_slice", [h] + starts, {"sizes": sizes})


def getitem(x, index):
    if _unk(index):
        return index
    if isinstance(index, Tensor) and index.dtype.is_bool:
        from tensorflow._gather import boolean_mask
        return boolean_mask(x, index)
    if getattr(x, "_strings", None) is not None:
        return x.element(index)
    h = handle(x)
    raw = _tilewise.shape(h)
    if isinstance(index, int) and _tilewise.numbers(h) is not None and len(raw) == 1:
        made = wrap(_tilewise.known(_tilewise.numbers(h)[index], _tilewise.dtype(h)))
        if x._of_batch and index == 0:
            made._is_batch = True
        return made
    plan = _plan(x, raw, index)
    if plan.data:
        if len(plan.data) == 1 and plan.data[0][2] == 1 and plan.data[0][0] in plan.dropped and \
                not plan.cut and None not in plan.shape[:plan.data[0][0]] + [1]:
            return wrap(_op("tw.take", [h, handle(plan.data[0][1])], {"axis": plan.data[0][0]}))
        h = _by_data(h, plan)
        if h is None:
            return _taken(x, plan)
    if plan.cut:
        h = _op("tw.slice", [h], {"starts": plan.starts, "limits": plan.limits,
                                  "strides": plan.strides})
        if plan.longer:
            h = _lengthened(h, plan)
    if not plan.dropped and 1 not in plan.shape:
        return wrap(h)
    sizes = [n for dim, n in enumerate(_tilewise.shape(h)) if dim not in plan.dropped]
    shape = []
    for n in plan.shape:
        shape.append(1 if n == 1 else sizes.pop(0))
    return wrap(_op("tw.reshape", [h], {"shape": shape}))


def _taken(x, plan):
    """An index that is a vector: rows of that dim."""
    dim, place, _ = plan.data[0]
    return wrap(_op("tw.take", [handle(x), handle(place)], {"axis": dim}))
