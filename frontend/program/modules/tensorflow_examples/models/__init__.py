"""Models of the examples."""
