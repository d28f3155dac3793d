"""haiku._src.transform."""

from haiku._core import *
