"""haiku._src.module."""

from haiku._core import Module, transparent
