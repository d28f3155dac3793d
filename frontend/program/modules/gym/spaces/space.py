"""gym.spaces.space."""

from _tilewise_gym import Space
