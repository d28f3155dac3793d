"""haiku._src."""
