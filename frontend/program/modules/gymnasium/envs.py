"""gymnasium.envs."""

from _tilewise_gym import register


class registry:
    env_specs = {}

    @staticmethod
    def all():
        return []


class registration:
    registry = {}
    register = staticmethod(register)
