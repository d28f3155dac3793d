"""The distributions on the numbers of TensorFlow."""

import _tilewise_numbers_tf as numbers
from _tilewise_distributions import make

globals().update(make(numbers, numbers, keys=False))
