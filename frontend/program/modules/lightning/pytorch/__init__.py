"""lightning.pytorch."""

from ._module import LightningDataModule, LightningModule
from ._trainer import Trainer
from .callbacks import Callback
from . import callbacks, cli, loggers, plugins, profilers, strategies, tuner, utilities
from .utilities import seed_everything

__version__ = "2.4.0"
