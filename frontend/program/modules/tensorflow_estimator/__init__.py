"""tensorflow_estimator is tf.estimator."""

import tensorflow.estimator as estimator


def __getattr__(name):
    return getattr(estimator, name)
