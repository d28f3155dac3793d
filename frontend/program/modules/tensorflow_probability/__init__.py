"""tensorflow_probability: its part on JAX."""
