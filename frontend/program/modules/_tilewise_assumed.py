"""What the values of --assume may name."""

import numpy
import numpy as np


def data(*shape, dtype="float32"):
    """Numbers that nobody knows, as those of a file."""
    return numpy.ndarray(shape, numpy.dtype(dtype))
