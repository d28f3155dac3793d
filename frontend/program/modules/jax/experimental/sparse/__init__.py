"""jax.experimental.sparse: names only."""
