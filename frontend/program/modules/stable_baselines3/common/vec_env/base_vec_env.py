"""stable_baselines3.common.vec_env.base_vec_env."""

from stable_baselines3.common.vec_env import *
