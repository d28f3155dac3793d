"""What TensorFlow 1 has beside TensorFlow 2; public names are in tensorflow._v1."""
