"""optax._src.alias: an inner name of optax."""

from optax import *
