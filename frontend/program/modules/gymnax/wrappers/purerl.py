"""gymnax.wrappers.purerl."""

import math

from flax import struct
import _tilewise_spaces as _s
import jax.numpy as jnp


class GymnaxWrapper:
    def __init__(self, env):
        self._env = env

    def __getattr__(self, name):
        if name[:2] == "__" or "_env" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.__dict__["_env"], name)


class FlattenObservationWrapper(GymnaxWrapper):
    def observation_space(self, params=None):
        space = self._env.observation_space(params)
        return _s.Box(-1.0, 1.0, (math.prod(space.shape),))

    def reset(self, key, params=None):
        obs, state = self._env.reset(key, params)
        return jnp.reshape(obs, (-1,)), state

    def step(self, key, state, action, params=None):
        obs, state, reward, done, info = self._env.step(key, state, action, params)
        return jnp.reshape(obs, (-1,)), state, reward, done, info


@struct.dataclass
class LogEnvState:
    env_state: object
    episode_returns: float
    episode_lengths: int
    returned_episode_returns: float
    returned_episode_lengths: int
    timestep: int


class LogWrapper(GymnaxWrapper):
    def reset(self, key, params=None):
        obs, inner = self._env.reset(key, params)
        zero, none = jnp.zeros(()), jnp.zeros((), jnp.int32)
        return obs, LogEnvState(inner, zero, none, zero, none, none)

    def step(self, key, state, action, params=None):
        obs, inner, reward, done, info = self._env.step(key, state.env_state, action, params)
        returns = state.episode_returns + reward
        length = state.episode_lengths + 1
        going = 1 - done
        state = LogEnvState(
            inner, returns * going, length * going,
            state.returned_episode_returns * going + returns * done,
            state.returned_episode_lengths * going + length * done, state.timestep + 1)
        info = dict(info)
        info["returned_episode_returns"] = state.returned_episode_returns
        info["returned_episode_lengths"] = state.returned_episode_lengths
        info["timestep"], info["returned_episode"] = state.timestep, done
        return obs, state, reward, done, info
