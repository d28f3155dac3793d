from lightning.pytorch.trainer import Trainer
from lightning.pytorch.trainer import __getattr__
