from ...pytorch.utilities import rank_zero_only, seed_everything
from ..._accept import module

__getattr__ = module("lightning.fabric.utilities.exceptions")
