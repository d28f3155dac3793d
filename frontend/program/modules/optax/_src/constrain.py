"""optax._src.constrain: an inner name of optax."""

from optax import *
