"""tensorflow_probability.bijectors."""

from _tilewise_bijectors_tf import *
