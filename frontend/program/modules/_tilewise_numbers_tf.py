"""What the distributions and bijectors take of JAX and numpy, by TensorFlow."""

import tensorflow as tf

float32, int32 = tf.float32, tf.int32
abs, exp, log, log1p, sqrt, tanh = tf.abs, tf.exp, tf.math.log, tf.math.log1p, tf.sqrt, tf.tanh
arctanh, argmax, ones_like, zeros_like = tf.atanh, tf.argmax, tf.ones_like, tf.zeros_like
broadcast_to, expand_dims, sum, zeros = tf.broadcast_to, tf.expand_dims, tf.reduce_sum, tf.zeros


def arange(n):
    return tf.range(n, dtype=tf.float32)


def asarray(x, dtype=None):
    # A type that the program gave stays.
    x = tf.convert_to_tensor(x)
    floats = dtype is not tf.float32 or x.dtype.is_floating
    return tf.cast(x, dtype) if dtype is tf.int32 or not floats else x


def broadcast_shapes(first, second):
    return tuple(tf.broadcast_static_shape(first, second))


def take_along_axis(x, indices, axis):
    return tf.gather(x, indices, axis=axis, batch_dims=len(x.shape) - 1)


class nn:
    log_softmax, one_hot, sigmoid = tf.nn.log_softmax, tf.one_hot, tf.sigmoid
    log_sigmoid, softmax, softplus = tf.math.log_sigmoid, tf.nn.softmax, tf.nn.softplus


class random:
    def normal(key, shape):
        return tf.random.normal(shape)

    def uniform(key, shape):
        return tf.random.uniform(shape)

    def categorical(key, logits, shape):
        noise = -tf.math.log(-tf.math.log(tf.random.uniform(list(shape) + [logits.shape[-1]])))
        return tf.argmax(logits + noise, axis=-1, output_type=tf.int32)


class special:
    def logsumexp(x, axis):
        return tf.reduce_logsumexp(x, axis)


class scipy:
    special = special
