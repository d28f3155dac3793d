"""jax.interpreters: names only."""

from jax.interpreters import pxla, xla
