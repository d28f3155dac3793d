"""gymnasium.spaces.utils."""

from _tilewise_gym import flatdim, flatten_space
