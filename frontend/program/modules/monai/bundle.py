from _tilewise_nothing import module

__getattr__ = module("monai.bundle")
