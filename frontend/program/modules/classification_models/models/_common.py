"""What the families share."""

from keras import layers
from keras.applications._common import Build


class Made(Build):
    """Convolutions without padding, behind a rim of zeros, as ported weights want it."""

    def __init__(self, include_top, weights, input_tensor, input_shape, **norm):
        Build.__init__(self, 224, include_top, weights, input_tensor, input_shape, **norm)

    def plain(self, x, filters, kernel, strides=1, name=None, **more):
        return self.conv(x, filters, kernel, name, strides, "valid", **more)

    def rimmed(self, x, filters, kernel, strides=1, name=None):
        return self.plain(self.pad(x, kernel // 2), filters, kernel, strides, name)

    def grouped(self, x, filters, strides, groups):
        """A convolution for each group of channels."""
        n = self.channels(x) // groups
        x = self.pad(x, 1)
        cut = (lambda t, i: t[..., i * n:(i + 1) * n]) if self.axis == -1 else \
            (lambda t, i: t[:, i * n:(i + 1) * n])
        return self.concat([
            self.plain(layers.Lambda(cut, arguments={"i": i})(x), filters // groups, 3, strides)
            for i in range(groups)])

    def squeeze(self, x, reduction=16):
        """Channels weighed by what the whole picture says."""
        n = self.channels(x)
        shape = (1, 1, n) if self.axis == -1 else (n, 1, 1)
        s = layers.GlobalAveragePooling2D()(x)
        s = layers.Lambda(lambda t: layers.Reshape(shape)(t))(s)
        s = self.act(self.plain(s, n // reduction, 1, use_bias=True))
        s = self.act(self.plain(s, n, 1, use_bias=True), kind="sigmoid")
        return layers.Multiply()([x, s])

    def ended(self, x, classes, named=True):
        if not self.top:
            return x
        x = layers.GlobalAveragePooling2D(name="pool1" if named else None)(x)
        x = layers.Dense(classes, name="fc1" if named else None)(x)
        return self.act(x, "softmax" if named else "output", "softmax")


def member(build, title, *spec):
    def make(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True,
             **ignored):
        return build(title, spec, (include_top, weights, input_tensor, input_shape), classes)
    make.__name__ = title
    return make
