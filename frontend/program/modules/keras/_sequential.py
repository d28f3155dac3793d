"""Models of one layer after another."""

import _python
import _tilewise as _t
from keras import _node
from keras._input import Input, InputLayer
from keras._layer import Layer
from keras._model import Model
from keras._weights import models
from tensorflow import _tensor as _x
from tensorflow._public import state

KerasTensor, Tensor = _x.KerasTensor, _x.Tensor
_at = _python.at
_unk = _t.is_unknown


# Types that the first layer takes, where they are no floats.
_TAKES = {"Embedding": "int32", "StringLookup": "string", "TextVectorization": "string",
          "IntegerLookup": "int64", "Hashing": "string"}

_ROWS = ("Dense", "BatchNormalization", "Normalization", "Dropout", "LayerNormalization")


class Sequential(Model):
    _begun = _last = _data_type = None

    def __new__(cls, *args, **kwargs):
        made = Layer.__new__(cls, *args, **kwargs)
        models.append(made)
        return made

    def __init__(self, layers=None, name=None, trainable=True, **kwargs):
        Layer.__init__(self, name=name, trainable=trainable, **kwargs)
        self._steps = []
        self.autocast = False
        if layers is not None and not _unk(layers):
            for layer in layers if isinstance(layers, (list, tuple)) else [layers]:
                self.add(layer)

    def add(self, layer, rebuild=True):
        if _unk(layer):
            _t.note("a layer of a Sequential is not known: " + _t.reason(layer))
            why = layer
            layer = _Called(_giving(why))
            layer._why = why
        if isinstance(layer, KerasTensor):
            layer = layer._source
        if isinstance(layer, InputLayer):
            self._begin(layer._tensor)
            return
        if not isinstance(layer, Layer):
            layer = _Called(layer) if callable(layer) else layer
        if self._last is None and not self._steps:
            self._begin_by(layer)
        self._steps.append(layer)
        if self._last is not None:
            self._last = _at(layer._place, layer, self._last)
            self.built = True

    def _begin(self, tensor):
        if _unk(tensor):
            return
        self._begun = self._last = tensor
        for layer in self._steps:
            self._last = _at(layer._place, layer, self._last)
        self.built = True

    def _begin_by(self, layer):
        """The first layer may say what it takes."""
        inner = layer
        while getattr(inner, "_graph", None) is None and getattr(inner, "_begun", None) is None:
            if inner._batch_input_shape is not None:
                self._begin(Input(batch_shape=inner._batch_input_shape,
                                  dtype=_TAKES.get(type(inner).__name__)))
                return
            inner = inner.__dict__.get("layer")
            if not isinstance(inner, Layer):
                return
        taken = inner.inputs
        if inner is layer and len(taken) == 1 and isinstance(taken[0], KerasTensor):
            shape = taken[0].shape
            self._begin(Input(batch_shape=tuple(shape), dtype=taken[0].dtype.name))

    def pop(self, rebuild=True):
        layer = self._steps.pop()
        if self._begun is not None:
            self._last = self._begun
            for kept in self._steps:
                self._last = _at(kept._place, kept, self._last)
        return layer

    def build(self, input_shape=None):
        if self._begun is None and input_shape is not None and not _unk(input_shape):
            self._begin(Input(batch_shape=tuple(input_shape)))
        self.built = True

    def _build_by(self, info, args, kwargs):
        self.built = True

    def call(self, inputs, training=None, mask=None):
        x = self._fitted(inputs)
        if self._begun is None and self._data_shape is None and isinstance(x, Tensor):
            self._data_shape, self._data_type = (None,) + tuple(x.shape)[1:], x.dtype.name
        for layer in self._steps:
            x = _at(layer._place, layer, x)
        return x

    def _fitted(self, x):
        if self._begun is not None and isinstance(x, (list, tuple, dict)) and len(x) == 1:
            x = list(x.values())[0] if isinstance(x, dict) else x[0]
        if not isinstance(x, Tensor):
            return x
        if self._begun is None:
            return self._as_rows(x)
        rank, want = len(_t.shape(x._h)), _t.shape(self._begun._h)
        h = x._h
        if rank == len(want) - 1 and want[-1] == 1:
            h = _t.op("tw.reshape", [h], {"shape": list(_t.shape(h)) + [1]})
        if _t.dtype(h) != _t.dtype(self._begun._h) and (
                _t.dtype(h) not in _x.FLOATS or _t.dtype(self._begun._h) not in _x.FLOATS) \
                and not getattr(x, "_is_text", False) and getattr(x, "_strings", None) is None:
            h = _t.op("tw.convert", [h], {"dtype": _t.dtype(self._begun._h)})
        return x if h is x._h else _x.wrap(h)

    def _as_rows(self, x):
        """One number for each example is a row of one, where rows are taken."""
        if not self._steps or type(self._steps[0]).__name__ not in _ROWS or \
                getattr(x, "_is_text", False) or getattr(x, "_strings", None) is not None:
            return x
        sizes = _t.shape(x._h)
        return x if len(sizes) != 1 else _x.wrap(
            _t.op("tw.reshape", [x._h], {"shape": list(sizes) + [1]}))

    def count_params(self):
        self._begin_by_table()
        return Model.count_params(self)

    def summary(self, *args, **kwargs):
        self._begin_by_table()

    def _begin_by_table(self):
        """Keras 2 builds a model that begins with an Embedding without its data."""
        if self._begun is None and not self.built and self._steps and \
                type(self._steps[0]).__name__ == "Embedding":
            self._begin(Input(batch_shape=(None, None), dtype="int32"))

    def _input_shapes(self):
        self._symbolic()
        return self._begun

    @property
    def layers(self):
        return list(self._steps)

    @property
    def _layers(self):
        return self._steps

    def _children(self):
        return list(self._steps)

    def _collect(self, found, seen, trained):
        if id(self) not in seen:
            seen.add(id(self))
            trained = trained and self._trainable
            for layer in self._steps:
                layer._collect(found, seen, trained)
            if type(self) is not Sequential:
                seen.discard(id(self))
                Layer._collect(self, found, seen, trained)

    @property
    def inputs(self):
        self._symbolic()
        return None if self._begun is None else [self._begun]

    @property
    def outputs(self):
        self._symbolic()
        return None if self._last is None else _node.flat(self._last)

    @property
    def input(self):
        self._symbolic()
        return self._begun if self._begun is not None else self._of_node("input")

    @property
    def output(self):
        self._symbolic()
        return self._last if self._last is not None else self._of_node("output")

    def _symbolic(self):
        """The layers as calls on an Input, of the shape of what the model was first given."""
        if self._begun is None and self._data_shape is not None and state.inside == 0:
            self._begin(Input(batch_shape=self._data_shape, dtype=self._data_type))

    @property
    def _is_graph_network(self):
        return self._begun is not None

    def _run_unknown(self, args, kwargs):
        if self._begun is None:
            self._starved = True
            return args[0]
        return Model._run_unknown(self, args, kwargs)

    def get_config(self):
        return {"name": self.name, "_model": self}


def _giving(unknown):
    """What stands for a layer that is not known: its result is not known either."""
    def call(inputs):
        return unknown
    return call


class _Called(Layer):
    """A function among the layers."""

    def __init__(self, function):
        Layer.__init__(self)
        self.function = function

    def call(self, inputs):
        return self.function(inputs)
