"""optax._src.linear_algebra: an inner name of optax."""

from optax import *
