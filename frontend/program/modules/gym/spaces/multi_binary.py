"""gym.spaces.multi_binary."""

from _tilewise_gym import MultiBinary
