"""tf.gradients: the loss and what it is the gradient of are recorded."""

import _tilewise as _t
from tensorflow import _tape
from tensorflow._tf1 import graph as _g


def gradients(ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False,
              gate_gradients=False, aggregation_method=None, stop_gradients=None,
              unconnected_gradients=None, **kw):
    """Always a list, one gradient for each of `xs`."""
    if not isinstance(xs, (list, tuple)):
        xs = [xs]
    _g.get_default_graph().symbolic = True
    return _tape.gradients(ys, list(xs))


def hessians(ys, xs, **kw):
    return [_t.unknown("second derivatives") for _ in xs]
