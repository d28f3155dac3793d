"""stable_baselines3.common.vec_env.vec_normalize."""

from stable_baselines3.common.vec_env import *
