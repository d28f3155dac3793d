"""tf.estimator.experimental: hooks that do nothing here."""

from tensorflow._tf1.graph import Quiet


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return Quiet
