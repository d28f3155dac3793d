"""envpool: many environments that step together, on the host or within a compiled function."""

import _tilewise as _t
import _tilewise_spaces as _s
import numpy as np


class _Config(dict):
    """What an environment was made with; what else it has is not known."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name] if name in self else _t.unknown("setting " + name + " of an environment")


class _Pool:
    def __init__(self, name, num_envs, img_height=84, img_width=84, stack_num=4, batch_size=None,
                 gym_reset_return_info=True, **options):
        self.num_envs = num_envs
        self._rows = batch_size or num_envs
        self.observation_space, self.action_space = _s.spaces_of(
            name, (stack_num, img_height, img_width))
        self.spec = self
        self.config = _Config(options, num_envs=num_envs, batch_size=self._rows,
                              img_height=img_height, img_width=img_width, stack_num=stack_num)

    def _parts(self):
        n = self._rows
        flags = np.ndarray((n,), np.bool_)
        info = {"env_id": np.ndarray((n,), np.int32), "players": {},
                "elapsed_step": np.ndarray((n,), np.int32), "reward": np.ndarray((n,)),
                "terminated": flags, "TimeLimit.truncated": flags, "lives": flags}
        return _s.observation(self.observation_space, (n,)), np.ndarray((n,)), flags, info

    def reset(self, *args, **kw):
        return self._parts()[0]

    def step(self, action, env_id=None):
        return self._parts()

    def async_reset(self):
        pass

    def recv(self):
        return self._parts()

    def send(self, action, env_id=None):
        pass

    def close(self):
        pass

    def xla(self):
        from jax import numpy as jnp

        def parts():
            see, reward, done, info = self._parts()
            as_device = lambda v: jnp.asarray(v) if not isinstance(v, dict) else v
            return (jnp.asarray(see), jnp.asarray(reward, jnp.float32), jnp.asarray(done),
                    {k: as_device(v) for k, v in info.items()})
        handle = jnp.zeros((), jnp.uint8)
        return (handle, lambda handle: (handle, parts()), lambda handle, action, *ids: handle,
                lambda handle, action, *ids: (handle, parts()))


def make(task_id, env_type="gym", num_envs=1, **options):
    return _Pool(task_id, num_envs, **options)


def make_gym(task_id, **options):
    return make(task_id, "gym", **options)


make_gymnasium = make_dm = make_gym
