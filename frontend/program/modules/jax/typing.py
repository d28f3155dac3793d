"""jax.typing."""

from jax._core import Array

ArrayLike = object
DTypeLike = object
Shape = tuple
