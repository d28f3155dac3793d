"""jax.example_libraries.stax."""

from jax.experimental.stax import *
