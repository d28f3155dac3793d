"""gymnax.environments.environment."""

from flax import struct
import _tilewise_spaces as _s
import jax
import jax.numpy as jnp


@struct.dataclass
class EnvState:
    time: int = 0


@struct.dataclass
class EnvParams:
    max_steps_in_episode: int = 500


TEnvState = TEnvParams = object


class Environment:
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, name=None, *args, **kw):
        self.env_name = name
        if name is not None:
            self._seen, self._acts = _s.spaces_of(name)

    @property
    def default_params(self):
        return EnvParams()

    @property
    def name(self):
        return self.env_name

    @property
    def num_actions(self):
        return self._acts.n if hasattr(self._acts, "n") else self._acts.shape[0]

    def observation_space(self, params=None):
        return self._seen

    def action_space(self, params=None):
        return self._acts

    def _see(self, key):
        return jax.random.uniform(key, self.observation_space(None).shape)

    def reset(self, key, params=None):
        return self.reset_env(key, params)

    def step(self, key, state, action, params=None):
        return self.step_env(key, state, action, params)

    def reset_env(self, key, params=None):
        return self._see(key), EnvState(time=jnp.zeros((), jnp.int32))

    def step_env(self, key, state, action, params=None):
        reward = jax.random.uniform(key, ())
        done = jax.random.uniform(key, ()) > 0.99
        return self._see(key), EnvState(time=state.time + 1), reward, done, {
            "discount": jnp.ones(())}
