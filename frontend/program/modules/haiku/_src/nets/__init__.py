"""haiku._src.nets."""
