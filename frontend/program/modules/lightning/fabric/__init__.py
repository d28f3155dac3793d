"""lightning.fabric."""

from ._fabric import Fabric
from ..pytorch.utilities import seed_everything
from . import accelerators, loggers, plugins, strategies, utilities


def is_wrapped(obj):
    return False
