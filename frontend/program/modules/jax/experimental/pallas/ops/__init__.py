"""Kernels that come with JAX."""
