"""torch_einops_utils: padding, masks and packing that transformers share."""

import torch
from einops import pack, unpack
from torch.nn import functional as F

_given = torch._tensor.Tensor


def exists(value):
    return value is not None


def default(value, other):
    return other if value is None else value


def identity(value, *args, **options):
    return value


def divisible_by(number, by):
    return number % by == 0


def pad_at_dim(t, pad, dim=-1, value=0.0):
    after = -dim - 1 if dim < 0 else t.ndim - dim - 1
    return F.pad(t, (0, 0) * after + tuple(pad), value=value)


def pad_left_at_dim(t, pad, **options):
    return pad_at_dim(t, (pad, 0), **options)


def pad_right_at_dim(t, pad, **options):
    return pad_at_dim(t, (0, pad), **options)


def lens_to_mask(lens, max_len=None):
    count = lens.amax().item() if max_len is None else max_len
    return torch.arange(count, device=lens.device) < lens[..., None]


def masked_mean(t, mask=None, dim=None, eps=1e-5, keepdim=False):
    options = {} if dim is None else {"dim": dim, "keepdim": keepdim}
    if mask is None:
        return t.mean(**options)
    weight = mask.to(t.dtype)
    while weight.ndim < t.ndim:
        weight = weight.unsqueeze(-1)
    weight = weight.expand_as(t)
    return (t * weight).sum(**options) / weight.sum(**options).clamp(min=eps)


def exclusive_cumsum(t, dim=-1):
    return pad_at_dim(t, (1, -1), dim=dim).cumsum(dim=dim)


def pack_with_inverse(t, pattern):
    one = isinstance(t, _given)
    packed, shapes = pack([t] if one else t, pattern)

    def inverse(out, inv_pattern=None):
        made = unpack(out, shapes, default(inv_pattern, pattern))
        return made[0] if one else made
    return packed, inverse


def safe_cat(tensors, dim=0):
    there = [t for t in tensors if t is not None]
    if not there:
        return None
    return there[0] if len(there) == 1 else torch.cat(there, dim=dim)


def safe_stack(tensors, dim=0):
    there = [t for t in tensors if t is not None]
    return torch.stack(there, dim=dim) if there else None


def tree_map_tensor(fn, tree):
    if isinstance(tree, _given):
        return fn(tree)
    if isinstance(tree, (list, tuple)):
        return type(tree)([tree_map_tensor(fn, each) for each in tree])
    if isinstance(tree, dict):
        return {name: tree_map_tensor(fn, each) for name, each in tree.items()}
    return tree
