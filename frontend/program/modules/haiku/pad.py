"""haiku.pad: amounts of padding of a kernel size."""


def valid(k):
    return (0, 0)


def same(k):
    return ((k - 1) // 2, k // 2)


def full(k):
    return (k - 1, k - 1)


def causal(k):
    return (k - 1, 0)


def reverse_causal(k):
    return (0, k - 1)


def create(padding, kernel, rate, n):
    return [padding(k) for k in kernel]
