"""tf.contrib.stateless: random numbers that a seed decides."""

import tensorflow.random as _random


def stateless_random_uniform(shape, seed, minval=0, maxval=None, dtype="float32", name=None):
    return _random.uniform(shape, minval, maxval, dtype)


def stateless_random_normal(shape, seed, mean=0.0, stddev=1.0, dtype="float32", name=None):
    return _random.normal(shape, mean, stddev, dtype)


stateless_truncated_normal = stateless_random_normal


def stateless_multinomial(logits, num_samples, seed, output_dtype="int64", name=None):
    return _random.categorical(logits, num_samples)
