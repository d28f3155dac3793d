"""gymnasium: environments whose spaces are known and whose dynamics are not."""

import _tilewise_gym as _own
from _tilewise_gym import Env, Space, register
from _tilewise_gymwrap import ActionWrapper, ObservationWrapper, RewardWrapper, Wrapper
from gymnasium import envs, error, spaces, utils, vector, wrappers


def make(id, max_episode_steps=None, **options):
    return _own.make(id, True, options)


def make_vec(id, num_envs=1, **options):
    return vector.VectorEnv([lambda: make(id)] * num_envs)


def register_envs(module):
    pass


def spec(id):
    return _own.Spec(id)
