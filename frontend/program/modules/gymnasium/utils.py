"""Helpers."""


class EzPickle:
    def __init__(self, *args, **kwargs):
        pass


class seeding:
    @staticmethod
    def np_random(seed=None):
        import numpy
        return numpy.random, seed
