from . import CombinedLoader, rank_zero_only, seed_everything
from . import __getattr__
