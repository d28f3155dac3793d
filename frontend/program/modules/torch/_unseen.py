"""What programs say of the shape of data that nobody knows, and of a loss that is not known."""

import sys

import _tilewise
from ._tensor import state, wrap
from .nn._module import _running


def view(*shape, **rest):
    """An unknown tensor whose shape the program gives: data of that shape."""
    shape = _tilewise.dims(shape) if shape else [-1]
    if not _tilewise.is_unknown(shape) and len(shape) == 2 and shape[1] == -1 and \
            type(shape[0]) is int and shape[0] > 1 and not _running:
        # A long row is cut into as many as a batch has; how long these are is not known.
        shape = [shape[0], _tilewise.open_dim()]
    if _tilewise.is_unknown(shape) or len(shape) < 2 or \
            not all([type(n) is int and n > 0 for n in shape]):
        return _tilewise.unknown("data whose shape is not known")
    _tilewise.note("what is given the shape " + str(list(shape)) + " here is not known; it is "
                   "taken to be data")
    if "jax" in sys.modules:  # the rows of a loader of torch, cut anew for the devices
        _tilewise.record("batch", size=shape[0], what="the shape that data is given")
    return wrap(_tilewise.input(list(shape), "f32", "", 0))


def backward(*args, **kwargs):
    """Where the loss is not known, the passes of the models that gave something are."""
    from .nn._asked import floating
    outputs, state.outputs = state.outputs, []
    total, seen = None, []
    for y in floating(outputs):
        if any([y is other for other in seen]):
            continue
        seen.append(y)
        part = y.float().mean()
        total = part if total is None else total + part
    if total is None:
        return
    _tilewise.note("the step has the passes of the model without what the program makes of its "
                   "results for the loss")
    _tilewise.record("loss_stands_in")
    total.backward()
