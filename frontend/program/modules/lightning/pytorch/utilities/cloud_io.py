from ..._accept import module

__getattr__ = module("lightning.pytorch.utilities.cloud_io")
