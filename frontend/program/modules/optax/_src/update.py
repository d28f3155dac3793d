"""optax._src.update: an inner name of optax."""

from optax import *
