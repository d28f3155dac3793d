from ...pytorch.utilities import rank_zero_only, seed_everything
from torch.optim import Optimizer as Optimizable
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau
from ..._accept import module

__getattr__ = module("lightning.fabric.utilities.types")
