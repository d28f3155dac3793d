"""tf.random of TensorFlow 1."""

import tensorflow.random as _random


def __getattr__(name):
    return getattr(_random, name)


def set_random_seed(seed):
    return None


def multinomial(logits, num_samples, *args, **kw):
    return _random.categorical(logits, num_samples)
