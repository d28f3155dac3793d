from .._accept import module

__getattr__ = module("lightning.fabric.wrappers")
