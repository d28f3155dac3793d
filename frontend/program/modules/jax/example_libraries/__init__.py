"""jax.example_libraries."""
