from ._module import LightningDataModule, LightningModule
from .._accept import module

__getattr__ = module("lightning.pytorch.core")
