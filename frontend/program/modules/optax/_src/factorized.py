"""optax._src.factorized: an inner name of optax."""

from optax import *
