"""keras.ops.image: the same functions."""


def __getattr__(name):
    from keras import ops
    return getattr(ops, name)
