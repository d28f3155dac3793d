"""jax.interpreters.xla."""

from jaxlib.xla_extension import DeviceArray
