"""einop: one function for what einops has three of."""

import einops


def _names(text):
    return set(text.replace("(", " ").replace(")", " ").split()) - {"...", "1"}


def einop(tensor, pattern, reduction=None, **sizes):
    left, right = [_names(side) for side in pattern.split("->")]
    if reduction is not None or left - right:
        return einops.reduce(tensor, pattern, "mean" if reduction is None else reduction, **sizes)
    if right - left:
        return einops.repeat(tensor, pattern, **sizes)
    return einops.rearrange(tensor, pattern, **sizes)
