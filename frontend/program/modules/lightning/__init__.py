"""Lightning: a trainer's fit is read as one round of the loop that it runs."""

from . import pytorch
from .pytorch import Callback, LightningDataModule, LightningModule, Trainer, seed_everything
from . import fabric
from .fabric import Fabric

__version__ = "2.4.0"
