"""tensorflow_probability.substrates.jax.bijectors."""

from _tilewise_bijectors_jax import *
