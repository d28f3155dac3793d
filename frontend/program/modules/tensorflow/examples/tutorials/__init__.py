"""Tutorials of TensorFlow 1."""
