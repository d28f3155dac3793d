"""clu.preprocess_spec."""
