"""Weights in parts over the processes of a program: fully sharded data parallelism."""

import _tilewise


def _parts(module, axes):
    for p in module.parameters():
        _tilewise.record("shard", value=p._h, axes=axes)


def over_processes(module, copies=1):
    """The weights of a module are split over all processes, or over those of each copy."""
    n = _tilewise.replicas(False)
    if n % copies:
        copies = 1
    if n // copies > 1:
        _tilewise.record("mesh", shape=[copies, n // copies], names=["data", "fsdp"])
        _parts(module, ["fsdp"])


def over_mesh(module, mesh):
    """They are split over the last dim of a part of a mesh; the dim before it has copies."""
    names, shape = mesh.axes()
    last = mesh.names_of_last()
    if mesh.ndim and last:
        words = ["fsdp" if n in last else n for n in names]
        _tilewise.record("mesh", shape=list(shape), names=words)
        _parts(module, ["fsdp"])


def kept_whole(what):
    _tilewise.note(what + " keeps gathered weights until the backward pass: the HBM peak is a "
                   "lower bound")
