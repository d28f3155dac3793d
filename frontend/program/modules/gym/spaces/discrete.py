"""gym.spaces.discrete."""

from _tilewise_gym import Discrete
