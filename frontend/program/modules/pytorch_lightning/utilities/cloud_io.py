from lightning.pytorch.utilities import CombinedLoader, rank_zero_only, seed_everything
from lightning.pytorch.utilities import __getattr__
