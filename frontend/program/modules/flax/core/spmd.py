"""flax.core.spmd."""

from flax.linen.spmd import *
