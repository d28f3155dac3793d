"""optax._src.utils: an inner name of optax."""

from optax import *
