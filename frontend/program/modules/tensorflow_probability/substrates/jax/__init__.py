"""tensorflow_probability.substrates.jax."""

from tensorflow_probability.substrates.jax import bijectors, distributions
