"""optax._src.wrappers: an inner name of optax."""

from optax import *
