"""tensorflow_probability.substrates."""
