"""jaxlib.xla_extension: the class of arrays on devices, under its names of different years."""

from jax._core import Array

DeviceArray = ArrayImpl = Array


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("jaxlib.xla_extension." + name)
