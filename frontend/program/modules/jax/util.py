"""jax.util."""


def safe_map(f, *xs):
    return list(map(f, *xs))


def safe_zip(*xs):
    return list(zip(*xs))


def wraps(fun, *args, **kw):
    return lambda f: f


def unzip2(pairs):
    pairs = list(pairs)
    return tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
