"""gymnasium.spaces."""

from _tilewise_gym import (Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple, flatdim,
                           flatten_space)
from gymnasium.spaces import utils
