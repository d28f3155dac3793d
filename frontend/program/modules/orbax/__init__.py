"""orbax."""
