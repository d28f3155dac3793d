"""Data sets of the tutorials of TensorFlow 1."""
