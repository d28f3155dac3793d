"""How the next token is chosen; texts that are generated are not followed."""

import _tilewise as _t


class Sampler:
    def __init__(self, *args, **kwargs):
        self.arguments = kwargs

    def __call__(self, *args, **kwargs):
        return _t.unknown("texts that are generated")


class GreedySampler(Sampler):
    pass


class BeamSampler(Sampler):
    pass


class ContrastiveSampler(Sampler):
    pass


class RandomSampler(Sampler):
    pass


class TopKSampler(Sampler):
    pass


class TopPSampler(Sampler):
    pass
