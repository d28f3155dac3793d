"""lightning.pytorch.utilities."""

from ..._accept import module


def rank_zero_only(function=None, *args, **kwargs):
    return function


rank_zero_only.rank = 0
rank_zero_experiment = rank_zero_only


def seed_everything(seed=None, workers=False, verbose=True):
    return 0 if seed is None else seed


def move_data_to_device(batch, device=None):
    return batch


class CombinedLoader:
    def __init__(self, iterables, mode="min_size"):
        self.iterables = iterables

    def __iter__(self):
        from .._trainer import _batch_of
        yield _batch_of(self.iterables), 0, 0

    def __len__(self):
        parts = self.iterables
        parts = parts.values() if isinstance(parts, dict) else parts
        return min([len(p) for p in parts])


__getattr__ = module("lightning.pytorch.utilities")
