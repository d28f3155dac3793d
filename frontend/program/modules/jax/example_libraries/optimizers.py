"""jax.example_libraries.optimizers."""

from jax.experimental.optimizers import *
