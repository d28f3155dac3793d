"""stable_baselines3.common.vec_env.dummy_vec_env."""

from stable_baselines3.common.vec_env import *
