"""MNIST as the tutorials of TensorFlow 1 read it."""

from tensorflow.examples.tutorials.mnist import input_data
