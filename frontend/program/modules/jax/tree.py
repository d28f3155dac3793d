"""jax.tree."""

from jax._tree import (map, leaves, flatten, unflatten, structure, reduce, all, transpose,
                       map_with_path, flatten_with_path, leaves_with_path)
from jax.tree_util import tree_broadcast as broadcast
