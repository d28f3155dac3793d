"""Layers of columns of features."""

import _tilewise as _t
from keras._layer import Layer
from tensorflow import _columns as _c

_unk = _t.is_unknown


class DenseFeatures(Layer):
    def __init__(self, feature_columns, trainable=True, name=None, partitioner=None, **kwargs):
        Layer.__init__(self, name=name, trainable=trainable, **kwargs)
        self._columns = columns = _c.flat(feature_columns)
        self._held = {}
        if _unk(columns):
            self._why = columns
        else:
            for c in columns:
                bad = [n for n in (c, getattr(c, "width", None)) if _unk(n)]
                if bad:
                    self._why = bad[0]

    def build(self, input_shape=None):
        if not _unk(self._columns):
            for name, shape in _c.wants(self._columns).items():
                self._held[name] = self.add_weight(shape=shape, name=name)
            for c in self._columns:
                if hasattr(c, "layer"):
                    self._held[c.name] = c.layer

    def call(self, features, cols_to_output_tensors=None, training=None):
        return _c.dense(features, self._columns, self._held)


class SequenceFeatures(DenseFeatures):
    def call(self, features, training=None):
        return _t.unknown("what SequenceFeatures gives")


class LinearModel(Layer):
    def __init__(self, units=1, activation=None, use_bias=True, **kwargs):
        Layer.__init__(self, **kwargs)
        from keras.layers import Dense
        self.dense = Dense(units, activation=activation, use_bias=use_bias)

    def call(self, inputs):
        if isinstance(inputs, (list, tuple)):
            total = self.dense(inputs[0])
            return total
        return self.dense(inputs)
