"""gymnax.wrappers."""

from gymnax.wrappers import purerl
from gymnax.wrappers.purerl import FlattenObservationWrapper, LogWrapper
