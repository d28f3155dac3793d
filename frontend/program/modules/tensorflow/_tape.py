"""Gradients: the tape, and steps that a program writes by hand."""

import _tilewise
from tensorflow import nest
from tensorflow._public import state
from tensorflow._tensor import Gradient, Tensor, handle, number_of, tensor, wrap

_unk = _tilewise.is_unknown
# Backward passes that were recorded: loops see by it whether their body trains.
counts = {"backward": 0}


class GradientTape:
    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent = persistent
        self._watched = []
        self._watches = watch_accessed_variables

    def __enter__(self):
        state.tapes.append(self)
        return self

    def __exit__(self, *error):
        if self in state.tapes:
            state.tapes.remove(self)
        return False

    def watch(self, tensor):
        self._watched.extend(nest.flatten(tensor))

    def watched_variables(self):
        seen = [v for v in state.variables if v._trainable] if self._watches else []
        return tuple(seen + [w for w in self._watched if getattr(w, "_is_variable", False)
                             and w not in seen])

    def stop_recording(self):
        return _Nothing()

    def reset(self):
        self._watched = []

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=None):
        return gradients(target, sources)

    def jacobian(self, target, sources, unconnected_gradients=None, parallel_iterations=None,
                 experimental_use_pfor=True):
        _tilewise.note("a Jacobian is not followed")
        outer = list(_tilewise.shape(handle(target)))

        def one(x):
            sizes = outer + list(_tilewise.shape(handle(x)))
            return wrap(_tilewise.input(sizes, _tilewise.dtype(handle(x)), "jacobian", None))
        return nest.map_structure(one, sources)

    def batch_jacobian(self, target, source, unconnected_gradients=None,
                       parallel_iterations=None, experimental_use_pfor=True):
        _tilewise.note("a Jacobian is not followed")
        sizes = list(_tilewise.shape(handle(target))) + list(_tilewise.shape(handle(source)))[1:]
        return wrap(_tilewise.input(sizes, "f32", "jacobian", None))


class _Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def _total(target):
    """The handle of what is differentiated: a tensor, whose elements are summed."""
    total = None
    leaves = [t for t in nest.flatten(target) if t is not None]
    if len(leaves) == 1 and not _unk(leaves[0]):
        return handle(leaves[0])
    for leaf in leaves:
        h = handle(leaf)
        if _unk(h):
            return h
        if _tilewise.shape(h):
            h = _tilewise.op("tw.reduce", [h], {"kind": "sum"})
        total = h if total is None else _tilewise.op("tw.binary", [total, h], {"kind": "add"})
    return total


def gradients(target, sources):
    """Records the pass backwards; a stand-in for each source."""
    leaves = nest.flatten(sources)
    weights = [x for x in leaves if getattr(x, "_is_variable", False)]
    h = _total(target)
    if h is None:
        return nest.map_structure(lambda x: None, sources)
    if _unk(h):
        _tilewise.note("what is differentiated is not known: " + _tilewise.reason(h))
    elif weights:
        counts["backward"] += 1
        state.pending = {id(w): w for w in weights}
        _tilewise.record("backward", value=h, parameters=[w._h for w in weights])
    elif not counts["backward"]:
        _tilewise.note("a gradient of data, not of weights, is taken here; its pass backwards is "
                       "what this report is about")
        _tilewise.record("backward", value=h,
                         parameters=[x._h for x in leaves if hasattr(x, "_h")])
    return nest.map_structure(_stand_in, sources)


def _stand_in(x):
    if x is None:
        return None
    if _unk(x):
        return x
    if getattr(x, "_is_variable", False):
        return Gradient(x._h) if x._trainable or not x.dtype.is_integer else None
    return Gradient(handle(x))


def stepped():
    """An optimizer used the gradients."""
    state.pending = {}


def hand_step(value, sign):
    """`variable.assign_sub(lr * gradient)`: plain SGD, and what else a program computes."""
    state.pending = {}
    if isinstance(value, Gradient):
        lr = value.scale
        _tilewise.record("optimizer", name="SGD", lr=None if lr is None else -sign * lr,
                         momentum=0.0, weight_decay=0.0)
        _tilewise.record("step", name="SGD", optimizer="SGD")
    else:
        _tilewise.record("step", name="custom", optimizer="custom")


class ForwardAccumulator:
    def __init__(self, primals, tangents):
        self._primals = primals

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def jvp(self, primals, unconnected_gradients=None):
        _tilewise.note("a forward derivative is not counted")
        return nest.map_structure(lambda x: Gradient(handle(x)), primals)


def tf_gradients(ys, xs, grad_ys=None, name="gradients", gate_gradients=False,
                 aggregation_method=None, stop_gradients=None, unconnected_gradients=None, **old):
    single = not isinstance(xs, (list, tuple))
    found = gradients(ys, [xs] if single else list(xs))
    return found


def hessians(ys, xs, **options):
    return _tilewise.unknown("second derivatives")


def custom_gradient(f=None):
    def wrapper(*args, **kwargs):
        made = f(*args, **kwargs)
        return made[0] if isinstance(made, tuple) and len(made) == 2 and callable(made[1]) \
            else made
    return wrapper


def recompute_grad(f):
    def wrapper(*args, **kwargs):
        _tilewise.record("remat")
        return f(*args, **kwargs)
    return wrapper


def no_gradient(op_type):
    pass


def register_gradient(op_type):
    return lambda f: f
