"""The bijectors on the numbers of JAX."""

import jax
import jax.numpy as jnp
from _tilewise_bijectors import make

globals().update(make(jax, jnp))
