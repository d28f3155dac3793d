"""Splits."""

from datasets import SplitInfo

NamedSplit = str
