"""optax._src.transform: an inner name of optax."""

from optax import *
