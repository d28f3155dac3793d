"""What the values of --assume may name."""

import numpy
import numpy as np


def data(*shape, dtype="float32"):
    """Numbers that nobody knows, as those of a file."""
    for size in shape:
        if not isinstance(size, int) or size < 1:
            raise ValueError("data() of --assume takes sizes of 1 or more, found " + repr(size))
    return numpy.ndarray(shape, numpy.dtype(dtype))
