"""optax.transforms: what changes or combines updates."""

from optax import *
