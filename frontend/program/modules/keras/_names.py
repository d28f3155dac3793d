"""Classes that few programs name."""

import _tilewise as _t
from tensorflow import _tensor as _x
from tensorflow._public import holds_keras_tensor, node_call, state

KerasTensor = _x.KerasTensor


def version():
    return "3.6.0"


class Variable(_x.Variable):
    def __init__(self, initializer=None, shape=None, dtype=None, trainable=True, autocast=True,
                 aggregation=None, synchronization=None, name=None, initial_value=None,
                 **ignored):
        if initializer is None:
            initializer = initial_value
        if isinstance(initializer, str):
            from keras import initializers
            initializer = initializers.get(initializer)
        if shape is not None and initializer is not None and callable(initializer) and \
                not isinstance(initializer, _x.Tensor):
            made = initializer
            initializer = lambda: made(shape, dtype or "float32")
        _x.Variable.__init__(self, initializer, trainable, dtype=dtype, name=name, shape=shape)

    @property
    def value(self):
        return _x.wrap(self._read())


class Operation:
    """What makes a node of a functional model and is no layer."""

    def __init__(self, dtype=None, name=None):
        self.name = name or type(self).__name__

    def __call__(self, *args, **kwargs):
        if state.keras_tensors and holds_keras_tensor(args, kwargs):
            return node_call(self, args, kwargs)
        return self.call(*args, **kwargs)

    def symbolic_call(self, *args, **kwargs):
        return node_call(self, args, kwargs)

    def call(self, *args, **kwargs):
        raise NotImplementedError

    def get_config(self):
        return {"name": self.name}


def Function(inputs, outputs, name=None):
    from keras._model import Functional
    return Functional(inputs, outputs, name=name)


class _Scope:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class StatelessScope(_Scope):
    pass


class SymbolicScope(_Scope):
    pass


class RematScope(_Scope):
    pass


class device(_Scope):
    pass


class name_scope:
    def __init__(self, name, *args, **kwargs):
        self.name = name

    def __enter__(self):
        self._before = state.scope
        state.scope = self._before + str(self.name) + "/"
        _t.scope(state.scope[:-1])
        return self

    def __exit__(self, *args):
        state.scope = self._before
        _t.scope(self._before[:-1])
        return False


def remat(f):
    def wrapper(*args, **kwargs):
        _t.record("remat")
        return f(*args, **kwargs)
    return wrapper


