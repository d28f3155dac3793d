"""jax.extend: names only."""
