"""What is measured of a model while it runs."""

from _tilewise_nothing import module

__getattr__ = module("fvcore.nn.precise_bn")
