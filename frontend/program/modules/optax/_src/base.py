"""optax._src.base: an inner name of optax."""

from optax import *
