"""optax._src.loss: an inner name of optax."""

from optax import *
