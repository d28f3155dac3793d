"""gym: environments whose spaces are known and whose dynamics are not."""

import _tilewise_gym as _own
from _tilewise_gym import Env, Space, register
from _tilewise_gymwrap import ActionWrapper, ObservationWrapper, RewardWrapper, Wrapper
from gym import envs, error, spaces, utils, vector, wrappers

_new = []


def make(id, max_episode_steps=None, **options):
    if not _new:
        _new.append(_own.five_results())
    return _own.make(id, _new[0], options)


def spec(id):
    return _own.Spec(id)


class logger:
    set_level = staticmethod(lambda *args: None)
    warn = info = error = set_level
