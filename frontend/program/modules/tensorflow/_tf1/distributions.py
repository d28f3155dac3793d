"""tf.distributions of TensorFlow 1: the first form of TensorFlow Probability's."""

from tensorflow_probability.distributions import *
from tensorflow_probability.distributions import kl_divergence
