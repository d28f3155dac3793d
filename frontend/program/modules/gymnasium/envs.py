"""gymnasium.envs."""

from _tilewise_gym import atari, register


class registry:
    env_specs = {}

    @staticmethod
    def all():
        return []


class registration:
    registry = {}
    register = staticmethod(register)
