"""tfa.activations."""

from keras.activations import gelu, hard_shrink as hardshrink, mish, softmax as sparsemax
from keras.activations import soft_shrink as softshrink, tanh_shrink as tanhshrink


def lisht(x):
    from keras import ops
    return x * ops.tanh(x)


def snake(x, frequency=1.0):
    from keras import ops
    return x + (1 - ops.cos(2 * frequency * x)) / (2 * frequency)


