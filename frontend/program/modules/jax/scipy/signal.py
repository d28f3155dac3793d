"""jax.scipy.signal."""

from jax.numpy import convolve
