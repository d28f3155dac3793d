"""gymnasium.spaces.dict."""

from _tilewise_gym import Dict
