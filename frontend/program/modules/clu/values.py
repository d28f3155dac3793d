"""clu.values."""
