"""TensorFlow examples: the parts that tutorials import."""
