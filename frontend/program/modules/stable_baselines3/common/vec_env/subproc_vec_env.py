"""stable_baselines3.common.vec_env.subproc_vec_env."""

from stable_baselines3.common.vec_env import *
