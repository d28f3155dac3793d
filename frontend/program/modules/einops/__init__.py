"""einops: patterns become reshapes, transposes and reductions."""

import math
import _tilewise
from torch._tensor import Tensor, einsum as _einsum, reshaped, stack, transposed, wrap
from torch._tensor import _op

_parsed = {}


class EinopsError(RuntimeError):
    pass


def _groups(text):
    """'b (h w) ...' -> [['b'], ['h', 'w'], None]; dots in brackets are a name of their group."""
    result, inside = [], None
    for word in text.replace("(", " ( ").replace(")", " ) ").replace("...", " ... ").split():
        if word == "(":
            inside = []
        elif word == ")":
            result.append(inside)
            inside = None
        elif inside is not None:
            inside.append(word)
        else:
            result.append(None if word == "..." else [word])
    return result


def _sides(pattern):
    if pattern not in _parsed:
        left, right = pattern.split("->")
        _parsed[pattern] = (_groups(left), _groups(right))
    return _parsed[pattern]


def _opened(groups, names):
    """With names in place of the dots."""
    result = []
    for g in groups:
        if g is None:
            result.extend([[n] for n in names])
        elif "..." in g:
            at = g.index("...")
            result.append(g[:at] + names + g[at + 1:])
        else:
            result.append(g)
    return result


def _split(shape, groups, sizes, pattern):
    """The axes of a tensor of `shape`, each with its size."""
    axes = []
    if len(shape) != len(groups):
        raise EinopsError("the pattern '" + pattern + "' does not fit shape " + str(shape))
    for n, group in zip(shape, groups):
        known, free = 1, None
        for name in group:
            if name.isdigit():
                known *= int(name)
            elif name in sizes:
                known *= sizes[name]
            elif free is not None:
                raise EinopsError("sizes of " + str(group) + " are not known in '" + pattern + "'")
            else:
                free = name
        if free is not None:
            sizes[free] = n // known
            known *= sizes[free]
        if known != n:
            raise EinopsError("shape " + str(shape) + " does not fit '" + pattern + "'")
        axes.extend(group)
    return axes


def _apply(x, pattern, reduction, sizes):
    if _tilewise.is_unknown(x):
        return x
    if isinstance(x, (list, tuple)):
        x = stack(list(x))
    if hasattr(x, "_t"):
        x = x._t
    left, right = _sides(pattern)
    h = x._h
    shape = list(x.shape)
    extra = ["_" + str(i) for i in range(len(shape) - len(left) + 1)] \
        if any([g is None or "..." in g for g in left]) else []
    left, right = _opened(left, extra), _opened(right, extra)
    sizes = dict(sizes)
    axes = _split(shape, left, sizes, pattern)

    def size(name):
        return int(name) if name.isdigit() else sizes[name]

    # Axes of one have no name that could be sought.
    have = [a for a in axes if not a.isdigit()]
    flat = [size(a) for a in have]
    if flat != shape:
        h = reshaped(h, flat)
    want = [a for g in right for a in g]
    gone = [a for a in have if a not in want]
    if gone:
        if reduction is None:
            raise EinopsError("axes " + str(gone) + " are lost in '" + pattern + "'")
        if callable(reduction):
            h = reduction(wrap(h), tuple([have.index(a) for a in gone]))._h
        else:
            kind = {"prod": "product"}.get(reduction, reduction)
            h = _op("tw.reduce", [h], {"kind": kind, "dims": [have.index(a) for a in gone],
                                       "keep": False})
        have = [a for a in have if a not in gone]
    order = [have.index(a) for a in want if a in have]
    if order != list(range(len(order))):
        h = transposed(h, order)
    new = [a for a in want if a not in have and not (a.isdigit() and int(a) == 1)]
    if new:
        full = [size(a) for a in want]
        dims = [i for i, a in enumerate(want) if a in have]
        h = _op("tw.broadcast_in_dim", [h], {"shape": full, "dims": dims})
    result = [math.prod([size(a) for a in g]) for g in right]
    if result != list(wrap(h).shape):
        h = reshaped(h, result)
    return wrap(h)


def _ours(x):
    """Whether it is of torch or numpy; arrays of JAX have their own functions."""
    first = x[0] if isinstance(x, (list, tuple)) and x else x
    return isinstance(first, Tensor) or hasattr(first, "_t") or _tilewise.is_unknown(first)


def rearrange(tensor, pattern, **axes_lengths):
    if not _ours(tensor):
        from jax import _einops
        return _einops.rearrange(tensor, pattern, **axes_lengths)
    return _apply(tensor, pattern, None, axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    if not _ours(tensor):
        from jax import _einops
        return _einops.repeat(tensor, pattern, **axes_lengths)
    return _apply(tensor, pattern, None, axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    if not _ours(tensor):
        from jax import _einops
        return _einops.reduce(tensor, pattern, reduction, **axes_lengths)
    return _apply(tensor, pattern, reduction, axes_lengths)


def einsum(*tensors_and_pattern):
    """Names of axes may be words here; they become letters."""
    pattern, tensors = tensors_and_pattern[-1], tensors_and_pattern[:-1]
    if not _ours(tensors):
        from jax import _einops
        return _einops.einsum(*tensors_and_pattern)
    left, right = pattern.split("->")
    letters, used = {}, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def side(text):
        out = ""
        for name in text.replace("...", " ... ").split():
            if name == "...":
                out += name
            else:
                if name not in letters:
                    letters[name] = used[len(letters)]
                out += letters[name]
        return out

    equation = ",".join([side(part) for part in left.split(",")]) + "->" + side(right)
    return _einsum(equation, *tensors)


def parse_shape(x, pattern):
    names = pattern.split()
    return {n: s for n, s in zip(names, x.shape) if n != "_"}


def pack(tensors, pattern):
    from torch._tensor import cat
    names = pattern.split()
    at = names.index("*")
    behind = len(names) - at - 1
    packed, parts = [], []
    for t in tensors:
        shape = list(t.shape)
        mid = shape[at:len(shape) - behind]
        packed.append(tuple(mid))
        parts.append(t.reshape(shape[:at] + [math.prod(mid)] + shape[len(shape) - behind:]))
    return cat(parts, at), packed


def unpack(tensor, packed_shapes, pattern):
    at = pattern.split().index("*")
    shape = list(tensor.shape)
    sizes = [math.prod(s) for s in packed_shapes]
    if -1 in [v for s in packed_shapes for v in s]:
        sizes = [shape[at] if -1 in s else n for s, n in zip(packed_shapes, sizes)]
    parts = tensor.split(sizes, at)
    return [p.reshape(shape[:at] + list(s) + shape[at + 1:])
            for p, s in zip(parts, packed_shapes)]


def asnumpy(tensor):
    return tensor.numpy()
