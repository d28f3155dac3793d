"""grain."""

from grain import python
from grain.python import *

sources = samplers = transforms = checkpoint = sharding = multiprocessing = experimental = python
