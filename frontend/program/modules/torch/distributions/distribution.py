from ._base import Distribution
