"""tf.optimizers: Keras' optimizers."""

from keras.optimizers import schedules


def __getattr__(name):
    from keras import optimizers
    return getattr(optimizers, name)
