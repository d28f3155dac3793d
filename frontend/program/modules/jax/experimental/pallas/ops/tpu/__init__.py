"""Kernels for the TPU."""
