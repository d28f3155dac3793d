"""optax._src.combine: an inner name of optax."""

from optax import *
