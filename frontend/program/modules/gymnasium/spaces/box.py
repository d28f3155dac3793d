"""gymnasium.spaces.box."""

from _tilewise_gym import Box
