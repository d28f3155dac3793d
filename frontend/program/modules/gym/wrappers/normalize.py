"""Running means of what an environment gives."""

import numpy


class RunningMeanStd:
    def __init__(self, epsilon=1e-4, shape=()):
        self.mean, self.var = numpy.zeros(shape, "float64"), numpy.ones(shape, "float64")
        self.count = epsilon

    def update(self, x):
        pass

    def update_from_moments(self, batch_mean, batch_var, batch_count):
        pass


from . import NormalizeObservation, NormalizeReward
