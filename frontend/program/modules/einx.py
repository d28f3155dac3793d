"""einx: operations on axes that are named, one for each pair of shapes."""

import re

import torch
from einops import reduce as _reduce, rearrange as _rearrange
from torch._tensor import Tensor


def _names(text):
    return text.replace("(", " ").replace(")", " ").split()


def _longest(sides):
    found = sides[0]
    for side in sides:
        if len(_names(side)) > len(_names(found)):
            found = side
    return found


def _sides(pattern):
    left, arrow, right = pattern.partition("->")
    operands = [side.strip() for side in left.split(",")]
    if not arrow:
        # The result has the axes of the operand that has all of them.
        right = _longest(operands)
    return operands, right.strip()


def _aligned(value, side, names):
    """An operand with an axis, of size one if it lacks it, for each name of the result."""
    own = _names(side)
    if not isinstance(value, Tensor) or not own:
        return value
    return _rearrange(value, side + " -> " + " ".join([n if n in own else "1" for n in names]))


def rearrange(pattern, value, **sizes):
    return _rearrange(value, pattern, **sizes)


def _elementwise(function):
    def run(pattern, *operands, **sizes):
        sides, result = _sides(pattern)
        names = _names(result)
        made = function(*[_aligned(v, side, names) for v, side in zip(operands, sides)])
        return made if "(" not in result else _rearrange(made, " ".join(names) + " -> " + result)
    return run


def _folded(function):
    def run(*operands):
        made = operands[0]
        for each in operands[1:]:
            made = function(made, each)
        return made
    return _elementwise(run)


add, multiply = _folded(lambda a, b: a + b), _folded(lambda a, b: a * b)
subtract, divide = _folded(lambda a, b: a - b), _folded(lambda a, b: a / b)
less, less_equal = _elementwise(lambda a, b: a < b), _elementwise(lambda a, b: a <= b)
greater, greater_equal = _elementwise(lambda a, b: a > b), _elementwise(lambda a, b: a >= b)
equal, not_equal = _elementwise(lambda a, b: a == b), _elementwise(lambda a, b: a != b)
logical_and = _folded(lambda a, b: a & b)
logical_or = _folded(lambda a, b: a | b)
where = _elementwise(torch.where)


def _reduction(kind):
    def run(pattern, value, **sizes):
        if "->" not in pattern:
            # Axes in brackets are those that are reduced.
            pattern += " -> " + re.sub(r"\[[^\]]*\]", "", pattern)
        return _reduce(value, pattern.replace("[", " ").replace("]", " "), kind, **sizes)
    return run


sum, mean, max, min = _reduction("sum"), _reduction("mean"), _reduction("max"), _reduction("min")
