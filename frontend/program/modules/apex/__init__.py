"""NVIDIA's apex, whose parts have their like in PyTorch: mixed precision, optimizers in one kernel,
normalization and data parallelism. What else it has is not known."""

from apex import amp, multi_tensor_apply, normalization, optimizers, parallel


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("apex." + name)
