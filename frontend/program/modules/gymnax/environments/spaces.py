"""gymnax.environments.spaces."""

from _tilewise_spaces import Box, Dict, Discrete, Space, Tuple
