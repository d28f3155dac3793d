"""What programs say of the shape of data that nobody knows."""

import _tilewise
from ._tensor import wrap


def view(*shape, **rest):
    """An unknown tensor whose shape the program gives: data of that shape."""
    shape = _tilewise.dims(shape) if shape else [-1]
    if _tilewise.is_unknown(shape) or len(shape) < 2 or \
            not all([type(n) is int and n > 0 for n in shape]):
        return _tilewise.unknown("data whose shape is not known")
    _tilewise.note("what is given the shape " + str(list(shape)) + " here is not known; it is "
                   "taken to be data")
    return wrap(_tilewise.input(list(shape), "f32", "", 0))
