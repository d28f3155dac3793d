"""optax._src.schedule: an inner name of optax."""

from optax import *
