"""stable_baselines3: its store of what was seen."""

from stable_baselines3 import common
