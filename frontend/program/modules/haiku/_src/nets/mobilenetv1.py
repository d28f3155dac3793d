"""MobileNet V1 of hk.nets."""

import haiku as hk
import jax
from jax import numpy as jnp


class MobileNetV1Block(hk.Module):
    def __init__(self, channels, stride, use_bn=True, name=None):
        super().__init__(name=name)
        self.channels = channels
        self.stride = stride
        self.use_bn = use_bn
        self.with_bias = not use_bn

    def __call__(self, inputs, is_training):
        x = hk.DepthwiseConv2D(1, 3, self.stride, padding=((1, 1), (1, 1)),
                               with_bias=self.with_bias, name="depthwise_conv")(inputs)
        if self.use_bn:
            x = hk.BatchNorm(True, True, 0.999, name="batchnorm_0")(x, is_training)
        x = jax.nn.relu(x)
        x = hk.Conv2D(self.channels, 1, 1, padding="VALID", with_bias=self.with_bias,
                      name="pointwise_conv")(x)
        if self.use_bn:
            x = hk.BatchNorm(True, True, 0.999, name="batchnorm_1")(x, is_training)
        return jax.nn.relu(x)


class MobileNetV1(hk.Module):
    def __init__(self, strides=(1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1),
                 channels=(64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024),
                 num_classes=1000, use_bn=True, name=None):
        super().__init__(name=name)
        self.strides = strides
        self.channels = channels
        self.num_classes = num_classes
        self.use_bn = use_bn

    def __call__(self, inputs, is_training):
        x = hk.Conv2D(32, 3, 2, padding=((1, 1), (1, 1)), with_bias=not self.use_bn,
                      name="initial_conv")(inputs)
        if self.use_bn:
            x = hk.BatchNorm(True, True, 0.999, name="initial_batchnorm")(x, is_training)
        x = jax.nn.relu(x)
        for s, c in zip(self.strides, self.channels):
            x = MobileNetV1Block(c, s, self.use_bn)(x, is_training)
        x = jnp.mean(x, axis=(1, 2))
        return hk.Linear(self.num_classes, name="logits")(x)
