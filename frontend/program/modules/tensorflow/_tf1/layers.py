"""tf.layers: functions, and layers of Keras that have TensorFlow 1's names and defaults."""

import keras.layers as K
from tensorflow._tensor import Variable
from tensorflow._tf1 import graph as _g
from tensorflow._tf1 import functional_layers as _f
from tensorflow._tf1.functional_layers import (
    average_pooling1d, average_pooling2d, average_pooling3d, batch_normalization, conv1d, conv2d,
    conv2d_transpose, conv3d, conv3d_transpose, dense, dropout, flatten, max_pooling1d,
    max_pooling2d, max_pooling3d, separable_conv1d, separable_conv2d)
from tensorflow._tf1.scopes import get_variable, variable_scope


def snake(name):
    out = ""
    for i, c in enumerate(name):
        if c.isupper() and i and (not name[i - 1].isupper() or
                                  i + 1 < len(name) and name[i + 1].islower()):
            if not name[i - 1].isdigit() or name[i - 1:i] != "_":
                out += "_"
        out += c.lower()
    return out.replace("2_d", "2d").replace("1_d", "1d").replace("3_d", "3d")


class Scoped:
    """Weights come from get_variable in the layer's own scope."""
    _variable_scope = None
    _given_scope = _given_name = None
    _reuse_given = None

    def _open(self):
        if self._variable_scope is None:
            base = self._given_name or snake(type(self).__name__)
            if self._reuse_given and self._given_scope is None:
                opened = variable_scope(base, reuse=True)
            else:
                # Two layers of one name have scopes of their own.
                opened = variable_scope(self._given_scope, base, reuse=self._reuse_given)
            with opened as scope:
                self._variable_scope = scope
        return variable_scope(self._variable_scope, reuse=self._reuse_given,
                              auxiliary_name_scope=True)

    def __call__(self, inputs, *args, **kw):
        kw.pop("scope", None)
        with self._open():
            return self._keras.__call__(self, inputs, *args, **kw)

    def apply(self, inputs, *args, **kw):
        return self(inputs, *args, **kw)

    @property
    def scope_name(self):
        return self._variable_scope.name if self._variable_scope is not None else self.name

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None,
                   trainable=True, constraint=None, **kw):
        if not isinstance(name, str):
            name, shape = shape if isinstance(shape, str) else "weight", name
        v = get_variable(name, shape, dtype=dtype or getattr(self, "variable_dtype", None),
                         regularizer=regularizer if callable(regularizer) else None,
                         trainable=trainable and self.trainable)
        if isinstance(v, Variable):
            track = getattr(self, "_track_variable", None)
            if track is not None:
                track(v)
        return v

    def add_variable(self, name, shape, **kw):
        return self.add_weight(name=name, shape=shape, **kw)

    @property
    def updates(self):
        return []

    @property
    def graph(self):
        return _g.get_default_graph()


def _scoped(keras, defaults):
    """A class of Keras with weights by scope; `defaults` are those of TensorFlow 1."""
    class Made(Scoped, keras):
        _keras = keras

        def __init__(self, *args, **kw):
            self._given_name = kw.get("name")
            self._given_scope = kw.pop("_scope", None)
            self._reuse_given = kw.pop("_reuse", None)
            for name in _IGNORED:
                kw.pop(name, None)
            for name in defaults:
                kw.setdefault(name, defaults[name])
            keras.__init__(self, *args, **kw)
    Made.__name__ = Made.__qualname__ = keras.__name__
    return Made


_IGNORED = ("renorm_clipping", "renorm_momentum", "fused", "virtual_batch_size", "adjustment",
            "renorm")
Layer = _scoped(K.Layer, {})
Dense = _scoped(K.Dense, {})
Conv1D = _scoped(K.Conv1D, {})
Conv2D = _scoped(K.Conv2D, {})
Conv3D = _scoped(K.Conv3D, {})
SeparableConv1D = _scoped(K.SeparableConv1D, {})
SeparableConv2D = _scoped(K.SeparableConv2D, {})
Conv2DTranspose = _scoped(K.Conv2DTranspose, {})
Conv3DTranspose = _scoped(K.Conv3DTranspose, {})
MaxPooling1D = _scoped(K.MaxPooling1D, {})
MaxPooling2D = _scoped(K.MaxPooling2D, {})
MaxPooling3D = _scoped(K.MaxPooling3D, {})
AveragePooling1D = _scoped(K.AveragePooling1D, {})
AveragePooling2D = _scoped(K.AveragePooling2D, {})
AveragePooling3D = _scoped(K.AveragePooling3D, {})
Dropout = _scoped(K.Dropout, {})
Flatten = _scoped(K.Flatten, {})
InputSpec = K.InputSpec


class BatchNormalization(_scoped(K.BatchNormalization, {})):
    def call(self, inputs, training=False, **kw):
        training = _f.truth(training)
        y = K.BatchNormalization.call(self, inputs, training=training)
        if training:
            _g.add_to_collection("update_ops", _g.Operation(name="AssignMovingAvg"))
        return y

    def _moments(self, inputs, reduction_axes, keep_dims, mask=None):
        from tensorflow._tf1.nn import moments
        return moments(inputs, reduction_axes, keep_dims=keep_dims)


Conv1d, Conv2d, Conv3d = Conv1D, Conv2D, Conv3D


def __getattr__(name):
    """What TensorFlow 2 has at this place."""
    if name[:1] == "_":
        raise AttributeError(name)
    from keras import layers
    return getattr(layers, name)
