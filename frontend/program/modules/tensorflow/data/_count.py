"""How many elements a data set has: a number, INFINITE, UNKNOWN, or None where we cannot tell.

UNKNOWN is what TensorFlow says itself, so that a program may ask for it.
"""

import _tilewise

INFINITE = -1
UNKNOWN = -2


def number(x):
    """A plain int of what a program gave as a count; None where it is not known."""
    if x is None or isinstance(x, bool):
        return None
    if isinstance(x, int):
        return x
    if _tilewise.is_unknown(x):
        return None
    if hasattr(x, "_h"):
        from tensorflow._tensor import number_of
        x = number_of(x)
        return None if x is None else int(x)
    if hasattr(x, "item") or hasattr(x, "__index__") or isinstance(x, float):
        x = int(x)
        return None if _tilewise.is_unknown(x) else x
    return None


def given(x):
    """As `number`, but what is not known stays so, and None is None."""
    if x is None or _tilewise.is_unknown(x):
        return x
    n = number(x)
    return _tilewise.unknown("a count") if n is None else n


def fixed(n):
    return n is not None and n >= 0


def batched(n, size, drop):
    if not fixed(n):
        return n
    if size is None or size <= 0:
        return None
    return n // size if drop else -(-n // size)


def taken(n, count):
    if count is None:
        return None
    if count < 0:
        return n
    if n == INFINITE:
        return count
    return min(n, count) if fixed(n) else n


def skipped(n, count):
    if count is None:
        return None
    if count < 0:
        return 0
    return max(0, n - count) if fixed(n) else n


def repeated(n, count):
    if count is None or count == 0:
        return None if count is None else 0
    if count < 0:
        return 0 if n == 0 else INFINITE
    return n * count if fixed(n) else n


def sharded(n, shards, index):
    if not fixed(n):
        return n
    if shards is None or shards <= 0:
        return None
    return n // shards + (1 if index is not None and index < n % shards else 0)


def joined(a, b):
    if a == INFINITE or b == INFINITE:
        return INFINITE
    if a == UNKNOWN or b == UNKNOWN:
        return UNKNOWN
    return None if a is None or b is None else a + b


def least(counts):
    counts = [n for n in counts if n != INFINITE]
    if not counts:
        return INFINITE
    if UNKNOWN in counts:
        return UNKNOWN
    return None if None in counts else min(counts)
