"""gymnasium.spaces.tuple."""

from _tilewise_gym import Tuple
