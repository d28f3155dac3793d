"""flax.core.nn: functional layers are not read."""
