"""efficientnet.keras: the same models."""

from efficientnet.tfkeras import *
