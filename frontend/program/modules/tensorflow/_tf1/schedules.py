"""Learning rates that depend on the step; functions of TensorFlow 1."""

import _tilewise as _t
from tensorflow._tensor import wrap


def _scalar(x):
    """A number that is another at each step."""
    return wrap(_t.input([], "f32", "learning_rate", None))


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False,
                      name=None):
    return _scalar(learning_rate)


natural_exp_decay = inverse_time_decay = exponential_decay


def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0,
                     cycle=False, name=None):
    return _scalar(learning_rate)


def piecewise_constant(x, boundaries, values, name=None):
    return _scalar(values[0])


piecewise_constant_decay = piecewise_constant


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    return _scalar(learning_rate)


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0,
                          alpha=0.0, name=None):
    return _scalar(learning_rate)


def linear_cosine_decay(learning_rate, global_step, decay_steps, *args, **kw):
    return _scalar(learning_rate)


noisy_linear_cosine_decay = linear_cosine_decay
