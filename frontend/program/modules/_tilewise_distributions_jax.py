"""The distributions on the numbers of JAX."""

import jax
import jax.numpy as jnp
from _tilewise_distributions import make

globals().update(make(jax, jnp))
