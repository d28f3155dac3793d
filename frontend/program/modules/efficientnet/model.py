"""efficientnet.model: the same models."""

from efficientnet.tfkeras import *
