"""stable_baselines3.common.buffers."""

from typing import NamedTuple

import numpy as np


class _Rows:
    """Some rows of the store, as an array of numpy or of torch."""

    def __init__(self, shape, kind):
        x = np.ndarray(shape, kind)
        x._batch, x._examples = 0, shape[0]
        self._x = x

    def numpy(self):
        return self._x

    def __getattr__(self, name):
        if name[:2] == "__" or "_x" not in self.__dict__:
            raise AttributeError(name)
        import torch
        return getattr(torch.from_numpy(self.__dict__["_x"]), name)


class ReplayBufferSamples(NamedTuple):
    observations: object
    actions: object
    next_observations: object
    dones: object
    rewards: object


class ReplayBuffer:
    def __init__(self, buffer_size, observation_space, action_space, device="auto", n_envs=1,
                 optimize_memory_usage=False, handle_timeout_termination=True):
        self.buffer_size, self.n_envs = buffer_size, n_envs
        self.observation_space, self.action_space = observation_space, action_space
        self.full, self.pos = True, 0

    def add(self, *args, **kw):
        pass

    def size(self):
        return self.buffer_size

    def sample(self, batch_size, env=None):
        seen, acts = self.observation_space, self.action_space
        acted = (1,) if hasattr(acts, "n") else tuple(acts.shape)
        see = (batch_size,) + tuple(seen.shape)
        return ReplayBufferSamples(
            _Rows(see, seen.dtype), _Rows((batch_size,) + acted, acts.dtype),
            _Rows(see, seen.dtype), _Rows((batch_size, 1), np.float32),
            _Rows((batch_size, 1), np.float32))
