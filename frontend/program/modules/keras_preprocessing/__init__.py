"""The package that Keras once kept its preprocessing in."""

import importlib as _importlib

from keras.preprocessing import image, sequence, text

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
