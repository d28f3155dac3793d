"""Wrappers of environments, and several environments at once."""

import _tilewise
import numpy
from _tilewise_gym import Box, Discrete, Env, MultiDiscrete


class Wrapper(Env):
    def __init__(self, env=None, *args, **kwargs):
        self.env = env

    def __getattr__(self, name):
        if name[:2] == "__" or name == "env":
            raise AttributeError(name)
        if name in ("return_queue", "length_queue", "time_queue"):
            return _tilewise.unknown("what a wrapper of an environment counts")
        return getattr(self.__dict__["env"], name)

    @property
    def unwrapped(self):
        return self.env.unwrapped

    @property
    def spec(self):
        return self.env.spec

    @property
    def new(self):
        return self.env.new

    def _space(self, own, name):
        kept = self.__dict__.get(own)
        return kept if kept is not None else getattr(self.env, name)

    @property
    def observation_space(self):
        return self._space("_seen_space", "observation_space")

    @observation_space.setter
    def observation_space(self, space):
        self.__dict__["_seen_space"] = space

    @property
    def action_space(self):
        return self._space("_taken_space", "action_space")

    @action_space.setter
    def action_space(self, space):
        self.__dict__["_taken_space"] = space

    def reset(self, **kwargs):
        return self.env.reset(**kwargs)

    def step(self, action):
        return self.env.step(action)

    def seed(self, seed=None):
        return [seed]

    def render(self, *args, **kwargs):
        return self.env.render(*args, **kwargs)

    def close(self):
        return self.env.close()


class ObservationWrapper(Wrapper):
    def reset(self, **kwargs):
        given = self.env.reset(**kwargs)
        if isinstance(given, tuple):
            return self.observation(given[0]), given[1]
        return self.observation(given)

    def step(self, action):
        given = self.env.step(action)
        return (self.observation(given[0]),) + tuple(given[1:])

    def observation(self, observation):
        return self.observation_space.sample()


class RewardWrapper(Wrapper):
    def step(self, action):
        given = self.env.step(action)
        return (given[0], self.reward(given[1])) + tuple(given[2:])

    def reward(self, reward):
        return reward


class ActionWrapper(Wrapper):
    def step(self, action):
        return self.env.step(self.action(action))

    def action(self, action):
        return action


class _Same(Wrapper):
    """What it changes is no shape."""


def _pair(size):
    return (size, size) if isinstance(size, int) else tuple(size)


class ResizeObservation(ObservationWrapper):
    def __init__(self, env, shape=84, *args, **kwargs):
        Wrapper.__init__(self, env)
        have = env.observation_space.shape
        self.observation_space = Box(0, 255, _pair(shape) + tuple(have[2:]), "uint8")


class GrayScaleObservation(ObservationWrapper):
    def __init__(self, env, keep_dim=False):
        Wrapper.__init__(self, env)
        h, w = env.observation_space.shape[:2]
        self.observation_space = Box(0, 255, (h, w, 1) if keep_dim else (h, w), "uint8")


class AtariPreprocessing(ObservationWrapper):
    def __init__(self, env, noop_max=30, frame_skip=4, screen_size=84,
                 terminal_on_life_loss=False, grayscale_obs=True, grayscale_newaxis=False,
                 scale_obs=False):
        Wrapper.__init__(self, env)
        size = _pair(screen_size)
        size += (3,) if not grayscale_obs else (1,) if grayscale_newaxis else ()
        self.observation_space = Box(0, 255, size, "float32" if scale_obs else "uint8")


class FrameStack(ObservationWrapper):
    def __init__(self, env, num_stack=4, *args, **kwargs):
        Wrapper.__init__(self, env)
        if "stack_size" in kwargs:
            num_stack = kwargs["stack_size"]
        have = env.observation_space
        self.observation_space = Box(0, 255, (num_stack,) + tuple(have.shape), have.dtype)


class FlattenObservation(ObservationWrapper):
    def __init__(self, env):
        Wrapper.__init__(self, env)
        n = 1
        for k in env.observation_space.shape:
            n *= k
        self.observation_space = Box(-1.0, 1.0, (n,), env.observation_space.dtype)


class TransformObservation(ObservationWrapper):
    def __init__(self, env, f=None, observation_space=None, func=None):
        Wrapper.__init__(self, env)
        self.f = f if f is not None else func
        if observation_space is not None:
            self.observation_space = observation_space

    def observation(self, observation):
        return self.f(observation)


# ---- of stable_baselines3


class WarpFrame(ObservationWrapper):
    def __init__(self, env, width=84, height=84):
        Wrapper.__init__(self, env)
        self.observation_space = Box(0, 255, (height, width, 1), "uint8")


# ---- several at once


class VectorEnv(Env):
    def __init__(self, env_fns, *args, **kwargs):
        self.num_envs = len(env_fns)
        first = env_fns[0]()
        self.envs, self.new, self.spec = [first] * self.num_envs, first.new, first.spec
        self._first = first
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        seen, taken = first.observation_space, first.action_space
        self.observation_space = Box(-1.0, 1.0, (self.num_envs,) + tuple(seen.shape or ()),
                                     seen.dtype)
        self.action_space = MultiDiscrete([taken.n] * self.num_envs) \
            if isinstance(taken, Discrete) else Box(-1.0, 1.0, (self.num_envs,) + taken.shape)
        self.is_vector_env = True

    def _all(self):
        return self.observation_space.sample()

    def reset(self, **kwargs):
        self._first.reset()
        return (self._all(), {}) if self.new else self._all()

    def step(self, actions):
        self._first.step(None)
        n = self.num_envs
        over = numpy.zeros(n, "bool")
        parts = (self._all(), numpy.zeros(n, "float32"), over)
        return parts + ((over, {}) if self.new else ([{}] * n,))

    def step_async(self, actions):
        pass

    def step_wait(self):
        return self.step(None)

    def call(self, name, *args, **kwargs):
        return [_tilewise.unknown("what environments give")] * self.num_envs

    get_attr = call


def same(name):
    return type(name, (_Same,), {})
