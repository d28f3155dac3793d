"""optax._src.clipping: an inner name of optax."""

from optax import *
