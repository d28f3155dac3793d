"""stable_baselines3.common.vec_env: several environments at once, with the spaces of one."""

from _tilewise_gymwrap import VectorEnv


class VecEnv:
    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs = num_envs
        self.observation_space, self.action_space = observation_space, action_space

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    def seed(self, seed=None):
        return [seed] * self.num_envs

    def close(self):
        pass

    @property
    def unwrapped(self):
        return self


class DummyVecEnv(VecEnv):
    def __init__(self, env_fns, *args, **kwargs):
        self._all = VectorEnv(env_fns)
        super().__init__(len(env_fns), self._all.single_observation_space,
                         self._all.single_action_space)
        self.envs = self._all.envs

    def reset(self):
        found = self._all.reset()
        return found[0] if self._all.new else found

    def step_async(self, actions):
        pass

    def step_wait(self):
        found = self._all.step(None)
        return found[0], found[1], found[2], [{} for _ in range(self.num_envs)]

    def get_attr(self, name, indices=None):
        return [getattr(e, name) for e in self.envs]

    def env_method(self, name, *args, indices=None, **kwargs):
        return self._all.call(name)


SubprocVecEnv = DummyVecEnv


class VecEnvWrapper(VecEnv):
    def __init__(self, venv, observation_space=None, action_space=None):
        self.venv = venv
        super().__init__(venv.num_envs, observation_space or venv.observation_space,
                         action_space or venv.action_space)

    def reset(self):
        return self.venv.reset()

    def step_async(self, actions):
        self.venv.step_async(actions)

    def step_wait(self):
        return self.venv.step_wait()

    def __getattr__(self, name):
        if name.startswith("_") or name == "venv":
            raise AttributeError(name)
        return getattr(self.venv, name)


class VecNormalize(VecEnvWrapper):
    def __init__(self, venv, training=True, norm_obs=True, norm_reward=True, clip_obs=10.0,
                 clip_reward=10.0, gamma=0.99, epsilon=1e-8, **kwargs):
        super().__init__(venv)
        self.training, self.norm_reward, self.gamma = training, norm_reward, gamma
        self.ob_rms = self.obs_rms = None


class VecMonitor(VecEnvWrapper):
    def __init__(self, venv, filename=None, info_keywords=()):
        super().__init__(venv)
