from lightning.pytorch.core import LightningDataModule, LightningModule
from lightning.pytorch.core import __getattr__
