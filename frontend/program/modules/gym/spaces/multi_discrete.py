"""gym.spaces.multi_discrete."""

from _tilewise_gym import MultiDiscrete
