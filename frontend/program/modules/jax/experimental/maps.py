"""jax.experimental.maps: named axes by mapping over them."""

from jax._transforms import vmap
from jax.interpreters.pxla import thread_resources
from jax.sharding import Mesh


def _names(a):
    """Axis by dim of one argument: a list of names, or a dict from dim to name."""
    if isinstance(a, dict):
        return {v: k for k, v in a.items()} if a and isinstance(list(a)[0], str) else dict(a)
    return {i: n for i, n in enumerate(a) if isinstance(n, str)}


def xmap(fun, in_axes, out_axes, *, axis_sizes=None, axis_resources=None, donate_argnums=(),
         backend=None):
    ins = in_axes if isinstance(in_axes, tuple) else (in_axes,)
    order = []
    for a in ins:
        for n in _names(a).values():
            if n not in order:
                order.append(n)
    order.sort(key=lambda n: n != "batch")
    outs = out_axes

    def wrapper(*args):
        f = fun
        # The innermost vmap sees its arguments without the dims of those around it.
        for depth in range(len(order) - 1, -1, -1):
            name = order[depth]
            outer = order[:depth]
            f = vmap(f, in_axes=tuple(_place(a, name, outer) for a in ins),
                     out_axes=_out_places(outs, name, outer), axis_name=name,
                     axis_size=(axis_sizes or {}).get(name))
        return f(*args)
    return wrapper


def _place(a, name, outer):
    places = _names(a)
    at = [d for d, n in places.items() if n == name]
    if not at:
        return None
    gone = [d for d, n in places.items() if n in outer and d < at[0]]
    return at[0] - len(gone)


def _out_places(outs, name, outer):
    if isinstance(outs, tuple):
        return tuple(_out_places(o, name, outer) for o in outs)
    return _place(outs, name, outer)


mesh = Mesh
