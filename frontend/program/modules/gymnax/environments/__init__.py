"""gymnax.environments."""

from gymnax.environments import environment, spaces
