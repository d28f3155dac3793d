"""Samplers of LibTorch that a program asks for indices itself: one batch, then the epoch ends."""

import _tilewise
import torch as _torch
import torch.utils.data as _loading


class _Asked:
    def __init__(self, size=None, *rest):
        self.data_source, self._drawn = size, 0

    def __len__(self):
        # A loader gives its data set in the place of a number.
        known = _tilewise.is_unknown(self.data_source) or isinstance(self.data_source, int)
        return self.data_source if known else len(self.data_source)

    def next(self, batch_size):
        if self._drawn:
            return None
        self._drawn = batch_size
        state = _torch._tensor.state
        if not state.stepped:
            _torch._tensor.record_batch(batch_size, "sampler.next()")
            state.loaded = batch_size
        return list(range(batch_size))

    def index(self):
        return self._drawn

    def reset(self, *size):
        self._drawn = 0


class RandomSampler(_Asked, _loading.RandomSampler):
    pass


class SequentialSampler(_Asked, _loading.SequentialSampler):
    pass
