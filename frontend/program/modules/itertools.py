"""Iterators over iterators."""

import math

import _tilewise

_missing = object()
_MOST = 250_000  # numbers in all the tuples that are gone through


def _tuples(n, r, ordered):
    """How many tuples of r of n items there are; 0 where that is not known."""
    if not isinstance(n, int) or not isinstance(r, int) or r > n:
        return 0
    found = math.comb(n, r)
    return found * math.factorial(r) if ordered else found


def _too_many(tuples, r):
    """What so many tuples are: nothing that a program makes of them is worked out."""
    return _tilewise.unknown(f"{tuples} tuples of {r} items, more than are made")


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable):
    saved = []
    for value in iterable:
        yield value
        saved.append(value)
    while saved:
        yield from saved


def repeat(value, times=None):
    if times is None:
        while True:
            yield value
    for _ in range(times):
        yield value


def accumulate(iterable, func=None, *, initial=None):
    values = iter(iterable)
    total = initial
    if total is None:
        total = next(values, _missing)
        if total is _missing:
            return
    yield total
    for value in values:
        total = total + value if func is None else func(total, value)
        yield total


class chain:
    def __init__(self, *iterables):
        self._it = self._walk(iterables)

    @staticmethod
    def _walk(iterables):
        for iterable in iterables:
            yield from iterable

    @classmethod
    def from_iterable(cls, iterables):
        made = cls()
        made._it = cls._walk(iterables)
        return made

    def __iter__(self):
        return self._it

    def __next__(self):
        return next(self._it)


def compress(data, selectors):
    return (value for value, keep in zip(data, selectors) if keep)


def dropwhile(predicate, iterable):
    values = iter(iterable)
    for value in values:
        if not predicate(value):
            yield value
            break
    yield from values


def takewhile(predicate, iterable):
    for value in iterable:
        if not predicate(value):
            return
        yield value


def filterfalse(predicate, iterable):
    for value in iterable:
        if not (predicate(value) if predicate is not None else value):
            yield value


def groupby(iterable, key=None):
    group, current = [], _missing
    for value in iterable:
        k = value if key is None else key(value)
        if current is not _missing and k != current:
            yield current, iter(group)
            group = []
        current = k
        group.append(value)
    if group:
        yield current, iter(group)


def islice(iterable, *bounds):
    part = slice(*bounds)
    start, stop, step = part.start or 0, part.stop, part.step or 1
    if stop is not None and stop <= 0:
        return
    position, wanted = 0, start
    if stop is not None and wanted >= stop and stop == 0:
        return
    for value in iterable:
        if stop is not None and position >= stop:
            return
        if position == wanted:
            yield value
            wanted += step
        position += 1
        if stop is not None and position >= stop:
            return


def pairwise(iterable):
    values = iter(iterable)
    before = next(values, _missing)
    for value in values:
        yield before, value
        before = value


def batched(iterable, n):
    batch = []
    for value in iterable:
        batch.append(value)
        if len(batch) == n:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def tee(iterable, n=2):
    values = iter(iterable)
    seen = []

    def walk():
        position = 0
        while True:
            if position == len(seen):
                value = next(values, _missing)
                if value is _missing:
                    return
                seen.append(value)
            yield seen[position]
            position += 1

    return tuple([walk() for _ in range(n)])


def zip_longest(*iterables, fillvalue=None):
    walks = [iter(i) for i in iterables]
    left = len(walks)
    while left:
        row = []
        for i, walk in enumerate(walks):
            value = fillvalue
            if walk is not None:
                value = next(walk, _missing)
                if value is _missing:
                    walks[i] = None
                    left -= 1
                    value = fillvalue
            row.append(value)
        if not left:
            return
        yield tuple(row)


def product(*iterables, repeat=1):
    pools = [tuple(i) for i in iterables] * repeat
    if not all(pools):
        return
    if not pools:
        yield ()
        return
    digits = [0] * len(pools)
    while True:
        yield tuple([pool[d] for pool, d in zip(pools, digits)])
        i = len(pools) - 1
        while i >= 0:
            digits[i] += 1
            if digits[i] < len(pools[i]):
                break
            digits[i] = 0
            i -= 1
        if i < 0:
            return


def permutations(iterable, r=None):
    pool = tuple(iterable)
    r = len(pool) if r is None else r
    if _tuples(len(pool), r, True) * r > _MOST:
        return _too_many(_tuples(len(pool), r, True), r)

    def walk(left, used):
        if left == 0:
            yield ()
            return
        for i, value in enumerate(pool):
            if i not in used:
                for rest in walk(left - 1, used | {i}):
                    yield (value, *rest)

    return walk(r, frozenset())


def combinations(iterable, r):
    pool = tuple(iterable)
    if _tuples(len(pool), r, False) * r > _MOST:
        return _too_many(_tuples(len(pool), r, False), r)

    def walk(start, left):
        if left == 0:
            yield ()
            return
        for i in range(start, len(pool) - left + 1):
            for rest in walk(i + 1, left - 1):
                yield (pool[i], *rest)

    return walk(0, r)


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)

    def walk(start, left):
        if left == 0:
            yield ()
            return
        for i in range(start, len(pool)):
            for rest in walk(i, left - 1):
                yield (pool[i], *rest)

    return walk(0, r)
