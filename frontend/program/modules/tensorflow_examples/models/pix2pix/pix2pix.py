"""Blocks and networks of pix2pix and CycleGAN, as the tutorials use them."""

import tensorflow as tf


class InstanceNormalization(tf.keras.layers.Layer):
    def __init__(self, epsilon=1e-5):
        super().__init__()
        self.epsilon = epsilon

    def build(self, input_shape):
        n = input_shape[-1:]
        self.scale = self.add_weight(name="scale", shape=n, initializer="ones", trainable=True)
        self.offset = self.add_weight(name="offset", shape=n, initializer="zeros",
                                      trainable=True)

    def call(self, x):
        mean, variance = tf.nn.moments(x, axes=[1, 2], keepdims=True)
        return self.scale * (x - mean) * tf.math.rsqrt(variance + self.epsilon) + self.offset


def _norm(model, kind):
    if kind is not None:
        model.add(tf.keras.layers.BatchNormalization() if kind.lower() == "batchnorm"
                  else InstanceNormalization())


def downsample(filters, size, norm_type="batchnorm", apply_norm=True):
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Conv2D(filters, size, strides=2, padding="same", use_bias=False))
    _norm(model, norm_type if apply_norm else None)
    model.add(tf.keras.layers.LeakyReLU())
    return model


def upsample(filters, size, norm_type="batchnorm", apply_dropout=False):
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Conv2DTranspose(filters, size, strides=2, padding="same",
                                              use_bias=False))
    _norm(model, norm_type)
    if apply_dropout:
        model.add(tf.keras.layers.Dropout(0.5))
    model.add(tf.keras.layers.ReLU())
    return model


def unet_generator(output_channels, norm_type="batchnorm"):
    """Eight halvings and seven doublings, whose results of one size are joined."""
    down = [downsample(n, 4, norm_type, i > 0)
            for i, n in enumerate((64, 128, 256, 512, 512, 512, 512, 512))]
    up = [upsample(n, 4, norm_type, i < 3)
          for i, n in enumerate((512, 512, 512, 512, 256, 128, 64))]
    last = tf.keras.layers.Conv2DTranspose(output_channels, 4, strides=2, padding="same",
                                           activation="tanh")
    inputs = tf.keras.layers.Input(shape=[256, 256, 3])
    x, kept = inputs, []
    for block in down:
        x = block(x)
        kept.append(x)
    for block, other in zip(up, reversed(kept[:-1])):
        x = tf.keras.layers.Concatenate()([block(x), other])
    return tf.keras.Model(inputs=inputs, outputs=last(x))


def discriminator(norm_type="batchnorm", target=True):
    """Judges patches of an image, of a pair with `target`."""
    image = tf.keras.layers.Input(shape=[256, 256, 3], name="input_image")
    inputs, x = image, image
    if target:
        other = tf.keras.layers.Input(shape=[256, 256, 3], name="target_image")
        inputs, x = [image, other], tf.keras.layers.concatenate([image, other])
    for i, n in enumerate((64, 128, 256)):
        x = downsample(n, 4, norm_type, i > 0)(x)
    x = tf.keras.layers.ZeroPadding2D()(x)
    x = tf.keras.layers.Conv2D(512, 4, strides=1, use_bias=False)(x)
    x = (tf.keras.layers.BatchNormalization() if norm_type.lower() == "batchnorm"
         else InstanceNormalization())(x)
    x = tf.keras.layers.ZeroPadding2D()(tf.keras.layers.LeakyReLU()(x))
    return tf.keras.Model(inputs=inputs, outputs=tf.keras.layers.Conv2D(1, 4, strides=1)(x))
