"""flax.core."""

import _tilewise as _t
from jax import _tree
from flax.core import meta
from flax.core import frozen_dict
from flax.core.frozen_dict import FrozenDict, freeze, unfreeze, copy, pop, pretty_repr
from flax.linen._module import DenyList, unbox
from flax.core import lift
from flax.core import scope
from flax.core import spmd
from flax.core import nn


def broadcast(*args):
    return args
