"""jax.dlpack."""


def to_dlpack(x, **kw):
    return x


def from_dlpack(x, **kw):
    return x
