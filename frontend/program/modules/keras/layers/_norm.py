"""Normalisation."""

import _tilewise
from keras import constraints, initializers, regularizers
from keras._layer import Layer
from keras._leaf import (add, axes_of, binary, code, dims, div, dot, mul, op, product, put, reduce,
                         reshape, sub, unary, wrap)
from keras.layers._core import Leaf, weight_of
from keras.layers._wrap import Wrapper


class _Norm(Leaf):
    """gamma and beta."""

    def _parts(self, center, scale, beta_initializer, gamma_initializer, beta_regularizer,
               gamma_regularizer, beta_constraint, gamma_constraint):
        self.center, self.scale = center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.gamma = self.beta = None
        self.supports_masking = True

    def _weights(self, shape):
        if self.scale:
            self.gamma = weight_of(self, "gamma", shape)
        if self.center:
            self.beta = weight_of(self, "beta", shape)

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


def _read(weight):
    return None if weight is None else weight._h


class BatchNormalization(_Norm):
    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                 beta_initializer="zeros", gamma_initializer="ones",
                 moving_mean_initializer="zeros", moving_variance_initializer="ones",
                 beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
                 gamma_constraint=None, synchronized=False, renorm=False, renorm_clipping=None,
                 renorm_momentum=0.99, fused=None, virtual_batch_size=None, adjustment=None,
                 **kwargs):
        Layer.__init__(self, **kwargs)
        self.axis, self.momentum, self.epsilon = axis, momentum, epsilon
        self._parts(center, scale, beta_initializer, gamma_initializer, beta_regularizer,
                    gamma_regularizer, beta_constraint, gamma_constraint)
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        self.synchronized = synchronized
        if renorm:
            _tilewise.note("the renormalisation of a BatchNormalization is not counted")
        if virtual_batch_size:
            _tilewise.note("a BatchNormalization takes the statistics of the whole batch")

    def build(self, input_shape):
        rank = len(input_shape)
        self._axes = axes_of(self.axis, rank)
        shape = tuple([input_shape[a] for a in self._axes])
        if None in shape:
            raise ValueError("Axis " + str(self.axis) + " of a BatchNormalization's input should "
                             "be defined. Received input_shape=" + str(tuple(input_shape)))
        self._weights(shape)
        self.moving_mean = weight_of(self, "moving_mean", shape, trainable=False)
        self.moving_variance = weight_of(self, "moving_variance", shape, trainable=False)
        self._plain = {"feature_dim": self._axes[0], "epsilon": float(self.epsilon),
                       "momentum": float(self.momentum), "training": False}
        self._trained = dict(self._plain, training=True)
        self.built = True

    def call(self, inputs, training=None, mask=None):
        attrs = self._trained if training and self.trainable else self._plain
        h = inputs._h
        if len(self._axes) > 1:
            return wrap(self._several(h, attrs["training"]))
        gamma, beta = self.gamma, self.beta
        return wrap(op("tw.batch_norm", [
            h, None if gamma is None else gamma._h, None if beta is None else beta._h,
            self.moving_mean._h, self.moving_variance._h], attrs))

    def _several(self, h, training):
        """Statistics of several dims together."""
        shape = [n if i in self._axes else 1 for i, n in enumerate(dims(h))]
        others = [i for i in range(len(shape)) if i not in self._axes]
        z = put(h, "f32")
        if training:
            mean, var = reduce("mean", z, others, True), reduce("variance", z, others, True)
        else:
            mean = reshape(self.moving_mean._h, shape)
            var = reshape(self.moving_variance._h, shape)
        y = mul(sub(z, mean), unary("rsqrt", binary("add", var, float(self.epsilon))))
        if self.gamma is not None:
            y = mul(y, reshape(self.gamma._h, shape))
        if self.beta is not None:
            y = add(y, reshape(self.beta._h, shape))
        return put(y, code(h))


class SyncBatchNormalization(BatchNormalization):
    def __init__(self, *args, **kwargs):
        kwargs.pop("synchronized", None)
        BatchNormalization.__init__(self, *args, synchronized=True, **kwargs)


class LayerNormalization(_Norm):
    def __init__(self, axis=-1, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros",
                 gamma_initializer="ones", beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, rms_scaling=False, **kwargs):
        Layer.__init__(self, **kwargs)
        self.axis = list(axis) if isinstance(axis, (tuple, list)) else axis
        self.epsilon, self.rms_scaling = epsilon, rms_scaling
        self._parts(center, scale, beta_initializer, gamma_initializer, beta_regularizer,
                    gamma_regularizer, beta_constraint, gamma_constraint)

    def build(self, input_shape):
        axes = axes_of(self.axis, len(input_shape))
        shape = tuple([input_shape[a] for a in axes])
        if self.rms_scaling:
            self.gamma = weight_of(self, "gamma", shape)
        else:
            self._weights(shape)
        self._attrs = {"dims": sorted(axes), "epsilon": float(self.epsilon)}
        self.built = True

    def call(self, inputs):
        gamma, beta = self.gamma, self.beta
        if self.rms_scaling:
            return wrap(op("tw.rms_norm", [inputs._h, gamma._h], self._attrs))
        return wrap(op("tw.layer_norm", [inputs._h, None if gamma is None else gamma._h,
                                         None if beta is None else beta._h], self._attrs))


class RMSNormalization(_Norm):
    def __init__(self, axis=-1, epsilon=1e-6, **kwargs):
        Layer.__init__(self, **kwargs)
        self.axis, self.epsilon, self.supports_masking = axis, epsilon, True

    def build(self, input_shape):
        axes = axes_of(self.axis, len(input_shape))
        self.scale = self.add_weight(name="scale", shape=tuple([input_shape[a] for a in axes]),
                                     initializer="ones")
        self._attrs = {"dims": sorted(axes), "epsilon": float(self.epsilon)}
        self.built = True

    def call(self, inputs):
        return wrap(op("tw.rms_norm", [inputs._h, self.scale._h], self._attrs))


class GroupNormalization(_Norm):
    def __init__(self, groups=32, axis=-1, epsilon=1e-3, center=True, scale=True,
                 beta_initializer="zeros", gamma_initializer="ones", beta_regularizer=None,
                 gamma_regularizer=None, beta_constraint=None, gamma_constraint=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.groups, self.axis, self.epsilon = groups, axis, epsilon
        self._parts(center, scale, beta_initializer, gamma_initializer, beta_regularizer,
                    gamma_regularizer, beta_constraint, gamma_constraint)

    def build(self, input_shape):
        n = input_shape[self.axis]
        groups = n if self.groups == -1 else self.groups
        if n % groups:
            raise ValueError("Number of groups (" + str(groups) + ") must be a multiple of the "
                             "number of channels (" + str(n) + ").")
        self.groups = groups
        self._weights((n,))
        self._attrs = {"groups": groups, "epsilon": float(self.epsilon),
                       "feature_dim": self.axis % len(input_shape)}
        self.built = True

    def call(self, inputs):
        return wrap(op("tw.group_norm", [inputs._h, _read(self.gamma), _read(self.beta)],
                       self._attrs))


class InstanceNormalization(GroupNormalization):
    """Of TensorFlow Addons: one group for each feature."""

    def __init__(self, **kwargs):
        kwargs.setdefault("epsilon", 1e-3)
        GroupNormalization.__init__(self, groups=-1, **kwargs)


class UnitNormalization(_Norm):
    def __init__(self, axis=-1, **kwargs):
        Layer.__init__(self, **kwargs)
        self.axis, self.supports_masking = axis, True

    def call(self, inputs):
        h = inputs._h
        if isinstance(self.axis, int):
            return wrap(op("tw.unit_length", [h], {"dim": self.axis}))
        total = reduce("sum", unary("square", h), self.axis, True)
        return wrap(mul(h, unary("rsqrt", binary("maximum", total, 1e-12))))


class SpectralNormalization(Wrapper):
    """The kernel over its largest singular value, which power iterations find in training."""

    def __init__(self, layer, power_iterations=1, **kwargs):
        Wrapper.__init__(self, layer, **kwargs)
        self.power_iterations = power_iterations

    def build(self, input_shape):
        Wrapper.build(self, input_shape)
        inner = self.layer
        name = "kernel" if getattr(inner, "kernel", None) is not None else "embeddings"
        self.kernel = getattr(inner, name)
        self._matrix = [product(dims(self.kernel._h)[:-1]), dims(self.kernel._h)[-1]]
        self.vector_u = self.add_weight(name="vector_u", shape=(1, self._matrix[1]),
                                        initializer="truncated_normal", trainable=False)
        self.built = True

    def call(self, inputs, training=None):
        if not training:
            return self.layer(inputs)
        held = self.kernel._h
        w, u = reshape(held, self._matrix), self.vector_u._h
        for _ in range(self.power_iterations):
            v = op("tw.unit_length", [dot(u, w, [1], [1])], {"dim": 1})
            u = op("tw.unit_length", [dot(v, w, [1], [0])], {"dim": 1})
        sigma = reduce("sum", mul(dot(v, w, [1], [0]), u))
        self.kernel._h = div(held, sigma)
        try:
            return self.layer(inputs)
        finally:
            self.kernel._h = held
