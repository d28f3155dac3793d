"""stable_baselines3.common.vec_env.vec_monitor."""

from stable_baselines3.common.vec_env import *
