"""stable_baselines3.common."""

from stable_baselines3.common import atari_wrappers, buffers
