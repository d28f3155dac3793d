"""Modules that are left out, that do nothing, or that call a function."""

from torch import nn


def Sequential(*modules):
    return nn.Sequential(*[m for m in modules if m is not None])


class Identity(nn.Module):
    def forward(self, value, *args, **options):
        return value


class Lambda(nn.Module):
    def __init__(self, fn):
        nn.Module.__init__(self)
        self.fn = fn

    def forward(self, *args, **options):
        return self.fn(*args, **options)
