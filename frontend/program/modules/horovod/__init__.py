"""Horovod: each worker runs the whole program; one of them is read."""
