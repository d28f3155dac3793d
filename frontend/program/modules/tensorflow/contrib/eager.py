"""tf.contrib.eager."""

import _tilewise as _t
from tensorflow._tensor import Variable, handle, state, wrap
from tensorflow._tf1.session import enable_eager_execution


def _trained():
    return [v for v in state.variables if v._trainable and not _t.is_unknown(v)]


def implicit_value_and_gradients(f):
    """The value of a function, and (gradient, variable) of each variable."""
    def of(*args, **kw):
        from tensorflow import GradientTape
        with GradientTape() as tape:
            value = f(*args, **kw)
        found = _trained()
        return value, list(zip(tape.gradient(value, found), found))
    return of


def implicit_gradients(f):
    both = implicit_value_and_gradients(f)
    return lambda *args, **kw: both(*args, **kw)[1]


def value_and_gradients_function(f, params=None):
    """The value of a function, and its gradients by its arguments."""
    def of(*args, **kw):
        from tensorflow import GradientTape
        places = range(len(args)) if params is None else \
            [p for p in params if isinstance(p, int)]
        given = [wrap(handle(a)) if i in places else a for i, a in enumerate(args)]
        wanted = [given[i] for i in places]
        with GradientTape() as tape:
            for t in wanted:
                tape.watch(t)
            value = f(*given, **kw)
        return value, tape.gradient(value, wanted)
    return of


def gradients_function(f, params=None):
    both = value_and_gradients_function(f, params)
    return lambda *args, **kw: both(*args, **kw)[1]


class Iterator:
    """Elements of a data set."""

    def __init__(self, dataset):
        self._made = iter(dataset)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._made)

    next = get_next = __next__


def num_gpus():
    return 0


def in_eager_mode():
    return True


executing_eagerly = in_eager_mode
list_devices = list
ResourceVariable = EagerVariable = Variable


def defun(func=None, *args, **kw):
    return func if func is not None else lambda f: f


def __getattr__(name):
    import tensorflow
    if name == "metrics":
        return tensorflow.keras.metrics
    if name in ("Saver", "Checkpoint", "CheckpointableSaver"):
        return tensorflow.train.Checkpoint
    if name == "Network":
        from tensorflow.contrib._network import Network
        return Network
    return getattr(tensorflow, name)
