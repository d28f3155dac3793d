from lightning._accept import module

__getattr__ = module("lightning.pytorch.loggers")
