"""gym.envs."""

from _tilewise_gym import REGISTRY as registry
from _tilewise_gym import atari, register


class registration:
    registry = registry
    register = staticmethod(register)
