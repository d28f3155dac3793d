"""Activations as layers."""

from keras import activations, constraints, initializers, regularizers
from keras._layer import Layer
from keras._leaf import add, binary, code, compare, mul, op, put, sub, wrap
from keras.layers._core import Leaf, weight_of


class Activation(Leaf):
    def __init__(self, activation, **kwargs):
        Layer.__init__(self, **kwargs)
        self.supports_masking = True
        self.activation = activations.get(activation)

    def call(self, inputs):
        return self.activation(inputs)


class _Own(Leaf):
    """Results have the shape of the input."""

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class ReLU(_Own):
    def __init__(self, max_value=None, negative_slope=0.0, threshold=0.0, **kwargs):
        Layer.__init__(self, **kwargs)
        self.supports_masking = True
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs):
        if not self.negative_slope and not self.threshold:
            if self.max_value is None:
                return wrap(op("tw.unary", [inputs._h], {"kind": "relu"}))
            return wrap(op("tw.clamp", [inputs._h], {"min": 0.0, "max": float(self.max_value)}))
        return activations.relu(inputs, self.negative_slope or 0.0, self.max_value,
                                self.threshold or 0.0)


class LeakyReLU(_Own):
    def __init__(self, negative_slope=0.3, alpha=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.supports_masking = True
        self.negative_slope = negative_slope if alpha is None else alpha

    @property
    def alpha(self):
        return self.negative_slope

    def call(self, inputs):
        return wrap(op("tw.leaky_relu", [inputs._h], {"alpha": float(self.negative_slope)}))


class PReLU(_Own):
    def __init__(self, alpha_initializer="zeros", alpha_regularizer=None, alpha_constraint=None,
                 shared_axes=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.supports_masking = True
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        self.shared_axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes

    def build(self, input_shape):
        shape = list(input_shape[1:])
        for axis in self.shared_axes or ():
            shape[axis - 1 if axis > 0 else axis] = 1
        self.alpha = weight_of(self, "alpha", shape)
        self.built = True

    def call(self, inputs):
        h = inputs._h
        slope = put(self.alpha._h, code(h))
        low = binary("minimum", h, 0.0)
        return wrap(add(op("tw.unary", [h], {"kind": "relu"}), mul(slope, low)))


class ELU(_Own):
    def __init__(self, alpha=1.0, **kwargs):
        Layer.__init__(self, **kwargs)
        self.alpha, self.supports_masking = alpha, True

    def call(self, inputs):
        return wrap(op("tw.elu", [inputs._h], {"alpha": float(self.alpha)}))


class ThresholdedReLU(_Own):
    def __init__(self, theta=1.0, **kwargs):
        Layer.__init__(self, **kwargs)
        self.theta, self.supports_masking = theta, True

    def call(self, inputs):
        h = inputs._h
        return wrap(mul(h, put(compare("GT", h, float(self.theta)), code(h))))


class Softmax(_Own):
    def __init__(self, axis=-1, **kwargs):
        Layer.__init__(self, **kwargs)
        self.axis, self.supports_masking = axis, True

    def call(self, inputs, mask=None):
        h = inputs._h
        if mask is not None:
            h = masked(h, mask._h)
        if isinstance(self.axis, (tuple, list)):
            return activations.softmax(wrap(h), self.axis)
        return wrap(op("tw.softmax", [h], {"dim": self.axis}))


def masked(h, mask):
    """Scores with a large negative number where `mask` is 0."""
    d = code(h)
    low = -3e4 if d == "f16" else -1e9
    return add(h, mul(sub(1.0, put(mask, d)), low))


