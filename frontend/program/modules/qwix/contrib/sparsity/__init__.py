"""Sparse weights."""
