"""gym.spaces.dict."""

from _tilewise_gym import Dict
