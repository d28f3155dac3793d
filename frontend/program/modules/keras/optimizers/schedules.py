"""keras.optimizers.schedules: the rate of a step, where the step is known; else of step 0."""

import math

import _tilewise as _t
from tensorflow import _tensor as _x

_unk = _t.is_unknown


def _step(value):
    n = _x.number_of(value)
    return 0 if n is None or _unk(n) else n


class LearningRateSchedule:
    def __call__(self, step):
        raise NotImplementedError

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class _Schedule(LearningRateSchedule):
    _names = ("initial_learning_rate", "decay_steps", "decay_rate", "staircase", "name")
    _defaults = {}

    def __init__(self, *args, **kwargs):
        given = dict(self._defaults)
        for name, value in zip(self._names, args):
            given[name] = value
        given.update(kwargs)
        for name in given:
            setattr(self, name, given[name])
        self._given = given

    def initial_rate(self):
        return self(0)

    def __call__(self, step):
        return self._at(_step(step))

    def get_config(self):
        return dict(self._given)


class ExponentialDecay(_Schedule):
    _defaults = {"staircase": False}

    def _at(self, step):
        p = step / self.decay_steps
        return self.initial_learning_rate * self.decay_rate ** (
            math.floor(p) if self.staircase else p)


class InverseTimeDecay(_Schedule):
    _defaults = {"staircase": False}

    def _at(self, step):
        p = step / self.decay_steps
        return self.initial_learning_rate / (1 + self.decay_rate * (
            math.floor(p) if self.staircase else p))


class PiecewiseConstantDecay(_Schedule):
    _names = ("boundaries", "values", "name")

    def _at(self, step):
        for bound, value in zip(self.boundaries, self.values):
            if _unk(bound) or step <= bound:
                return value
        return self.values[-1]


class PolynomialDecay(_Schedule):
    _names = ("initial_learning_rate", "decay_steps", "end_learning_rate", "power", "cycle",
              "name")
    _defaults = {"end_learning_rate": 0.0001, "power": 1.0, "cycle": False}

    def _at(self, step):
        if step == 0:
            return self.initial_learning_rate
        p = min(step, self.decay_steps) / self.decay_steps
        return (self.initial_learning_rate - self.end_learning_rate) * (1 - p) ** self.power + \
            self.end_learning_rate


class CosineDecay(_Schedule):
    _names = ("initial_learning_rate", "decay_steps", "alpha", "name", "warmup_target",
              "warmup_steps")
    _defaults = {"alpha": 0.0, "warmup_target": None, "warmup_steps": 0}

    def _at(self, step):
        start = self.initial_learning_rate
        if step == 0:
            return start
        if self.warmup_target is not None:
            if step < self.warmup_steps:
                return start + (self.warmup_target - start) * step / self.warmup_steps
            start, step = self.warmup_target, step - self.warmup_steps
        p = min(step, self.decay_steps) / self.decay_steps
        return start * ((1 - self.alpha) * 0.5 * (1 + math.cos(math.pi * p)) + self.alpha)


class CosineDecayRestarts(_Schedule):
    _names = ("initial_learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha", "name")
    _defaults = {"t_mul": 2.0, "m_mul": 1.0, "alpha": 0.0}

    def _at(self, step):
        return self.initial_learning_rate


class LinearCosineDecay(_Schedule):
    _names = ("initial_learning_rate", "decay_steps")

    def _at(self, step):
        return self.initial_learning_rate


NoisyLinearCosineDecay = LinearCosineDecay


def serialize(schedule):
    return schedule


deserialize = serialize
