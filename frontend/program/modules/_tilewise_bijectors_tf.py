"""The bijectors on the numbers of TensorFlow."""

import _tilewise_numbers_tf as numbers
from _tilewise_bijectors import make

globals().update(make(numbers, numbers))
