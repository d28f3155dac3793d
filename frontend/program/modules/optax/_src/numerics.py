"""optax._src.numerics: an inner name of optax."""

from optax import *
