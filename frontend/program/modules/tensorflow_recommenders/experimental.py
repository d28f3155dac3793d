"""tfrs.experimental: what is in it is not known."""
