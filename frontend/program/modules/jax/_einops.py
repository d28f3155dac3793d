"""rearrange, reduce and repeat of einops for arrays of JAX and numpy."""

import math

from jax import _core as _c


def _terms(text):
    """A list of names, or of lists of names for what stands in parentheses."""
    out = []
    group = None
    for word in text.replace("(", " ( ").replace(")", " ) ").replace("...", " ... ").split():
        if word == "(":
            group = []
            out.append(group)
        elif word == ")":
            group = None
        elif group is not None:
            group.append(word)
        else:
            out.append([word] if word != "..." else "...")
    return out


def _expanded(terms, names):
    out = []
    for t in terms:
        if t == "...":
            out += [[n] for n in names]
        elif isinstance(t, list) and "..." in t:
            i = t.index("...")
            out.append(t[:i] + names + t[i + 1:])
        else:
            out.append(t)
    return out


def _known_one(name):
    return name.isdigit()


def _apply(x, pattern, sizes, kind):
    if isinstance(x, (list, tuple)):
        x = _c.stack(x, 0) if isinstance(x[0], _c.Array) else x
    left, right = pattern.split("->")
    a, b = _terms(left), _terms(right)
    shape = list(x.shape)
    rest = len(shape) - sum(1 for t in a if t != "...")
    dots = ["." + str(i) for i in range(rest)] if "..." in a else []
    a, b = _expanded(a, dots), _expanded(b, dots)
    if len(a) != len(shape):
        raise ValueError("the pattern " + repr(pattern) + " does not fit " + str(shape))
    size = dict(sizes)
    order = []
    wide = []
    for t, n in zip(a, shape):
        open_name = None
        known = 1
        for name in t:
            if _known_one(name):
                known *= int(name)
            elif name in size:
                known *= size[name]
            else:
                open_name = name
        if open_name is not None:
            size[open_name] = n // known
        for name in t:
            if not _known_one(name):
                order.append(name)
                wide.append(size[name])
    if wide != shape:
        x = x.reshape(tuple(wide))
    want = [name for t in b for name in t if not _known_one(name)]
    if kind in ("max", "min", "sum", "mean", "prod"):
        gone = tuple(i for i, name in enumerate(order) if name not in want)
        if gone:
            x = getattr(x, kind)(axis=gone)
            order = [name for name in order if name in want]
    kept = [name for name in want if name in order]
    places = [order.index(name) for name in kept]
    if places != list(range(len(places))):
        x = x.transpose(tuple(places))
    if len(kept) != len(want):
        ones = [size[name] if name in order else 1 for name in want]
        full = [size[name] for name in want]
        x = x.reshape(tuple(ones))
        if isinstance(x, _c.Array):
            x = _c.broadcast_to(x, full)
        else:
            import numpy
            x = numpy.broadcast_to(x, tuple(full))
    final = tuple(math.prod([size.get(name, 1) for name in t]) for t in b)
    return x if tuple(x.shape) == final else x.reshape(final)


def rearrange(tensor, pattern, **axes_lengths):
    return _apply(tensor, pattern, axes_lengths, None)


def repeat(tensor, pattern, **axes_lengths):
    return _apply(tensor, pattern, axes_lengths, None)


def reduce(tensor, pattern, reduction, **axes_lengths):
    return _apply(tensor, pattern, axes_lengths, reduction)


def einsum(*args):
    from jax import numpy as jnp
    xs, pattern = args[:-1], args[-1]
    letters = {}
    out = ""
    for word in pattern.replace(",", " , ").replace("->", " -> ").split():
        if word in (",", "->", "..."):
            out += word
        else:
            if word not in letters:
                letters[word] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[
                    len(letters)]
            out += letters[word]
    return jnp.einsum(out, *xs)


def parse_shape(x, pattern):
    out = {}
    for name, n in zip(pattern.split(), x.shape):
        if name != "_":
            out[name] = n
    return out


def pack(tensors, pattern):
    raise NotImplementedError


def asnumpy(x):
    return x
