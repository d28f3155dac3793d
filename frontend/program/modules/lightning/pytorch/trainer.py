from ._trainer import Trainer
from .._accept import module

__getattr__ = module("lightning.pytorch.trainer")
