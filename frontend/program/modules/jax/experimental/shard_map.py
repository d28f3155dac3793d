"""jax.experimental.shard_map: the function is read on the whole arrays.

That gives the arithmetic of all devices together, which the placement then divides.
"""

import _tilewise as _t
from jax._transforms import _constrain_args


def shard_map(f=None, mesh=None, in_specs=None, out_specs=None, check_rep=True, auto=(), **kw):
    if f is None:
        return lambda g: shard_map(g, mesh, in_specs, out_specs)

    def wrapper(*args):
        if isinstance(in_specs, (tuple, list)):
            _constrain_args(args, in_specs, None)
        return f(*args)
    return wrapper
