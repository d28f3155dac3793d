"""What the families share: the picture that comes in, layers in their usual form, the head."""

import _tilewise
from keras import backend, layers
from keras._model import Model
from tensorflow._tensor import KerasTensor

Activation, Add, BatchNormalization = layers.Activation, layers.Add, layers.BatchNormalization
Conv2D, ZeroPadding2D = layers.Conv2D, layers.ZeroPadding2D


def channels_first():
    layout = backend.image_data_format()
    return not _tilewise.is_unknown(layout) and layout == "channels_first"


def divisible(value, by=8):
    """The multiple of `by` that is nearest, never less than nine tenths of the value."""
    near = max(by, int(value + by / 2) // by * by)
    return near + by if near < 0.9 * value else near


def shape_of(size, include_top, weights, given, first=False):
    """The shape of a picture: as given, else the family's own, or open without a head."""
    if given is not None:
        return tuple(given)
    side = size if include_top else None
    return (3, side, side) if first else (side, side, 3)


def sources(tensor):
    """The inputs that a tensor is computed of."""
    found, seen, stack = [], set(), [tensor]
    while stack:
        t = stack.pop()
        if id(t) in seen:
            continue
        seen.add(id(t))
        if t._node is None or not t._node.inputs:
            found.append(t)
        else:
            stack.extend(t._node.inputs)
    return found[0] if len(found) == 1 else found


class Build:
    """One model under construction: its picture, and how it normalises."""

    def __init__(self, size, include_top, weights, input_tensor, input_shape, **norm):
        first = channels_first()
        self.axis = 1 if first else -1
        self.rows = 1 if not first else 2
        self.norm = norm
        if input_tensor is None:
            shape = shape_of(size, include_top, weights, input_shape, first)
            self.image = self.inputs = layers.Input(shape=shape)
        elif isinstance(input_tensor, KerasTensor):
            self.image, self.inputs = input_tensor, sources(input_tensor)
        else:
            self.image = self.inputs = layers.Input(tensor=input_tensor, shape=input_shape)
        self.top = include_top

    def bn(self, x, name=None, **more):
        if more:
            return BatchNormalization(axis=self.axis, name=name, **{**self.norm, **more})(x)
        return BatchNormalization(axis=self.axis, name=name, **self.norm)(x)

    def conv(self, x, filters, kernel, name=None, strides=1, padding="same", use_bias=False,
             **more):
        return Conv2D(filters, kernel, strides=strides, padding=padding, use_bias=use_bias,
                      name=name, **more)(x)

    def act(self, x, name=None, kind="relu"):
        return Activation(kind, name=name)(x)

    def add(self, xs, name=None):
        return Add(name=name)(xs)

    def concat(self, xs, name=None):
        return layers.Concatenate(axis=self.axis, name=name)(xs)

    def channels(self, x):
        return x.shape[self.axis]

    def side(self):
        """What stands for the picture's size in a model's name."""
        n = self.image.shape[self.rows]
        return n if n is not None else 224

    def even_pad(self, x, kernel):
        """What comes around a picture so that a window of step 2 meets its end exactly."""
        rows, half = self.rows, kernel // 2
        sizes = x.shape[rows:rows + 2]
        return tuple([(half - (1 - n % 2 if n is not None else 1), half) for n in sizes])

    def pad(self, x, padding, name=None):
        return ZeroPadding2D(padding=padding, name=name)(x)

    def pooled(self, x, pooling, named=True):
        """The end of a model without a head."""
        if pooling == "avg":
            return layers.GlobalAveragePooling2D(name="avg_pool" if named else None)(x)
        if pooling == "max":
            return layers.GlobalMaxPooling2D(name="max_pool" if named else None)(x)
        return x

    def classify(self, x, classes, activation, pooling, dropout=0, named=True):
        """The usual head: mean over the picture, and one dense layer."""
        if not self.top:
            return self.pooled(x, pooling, named)
        x = layers.GlobalAveragePooling2D(name="avg_pool" if named else None)(x)
        if dropout:
            x = layers.Dropout(dropout, name="top_dropout")(x)
        return layers.Dense(classes, activation=activation, name="predictions")(x)

    def model(self, x, name):
        return Model(self.inputs, x, name=name)


def family(build, title, *spec, called=None):
    """The function by which users make one member of a family."""
    called = called or title.lower()

    def make(include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
             pooling=None, classes=1000, classifier_activation="softmax", name=None, **options):
        for gone in ("backend", "layers", "models", "utils"):  # The first Keras passed itself on.
            options.pop(gone, None)
        return build(title, spec, dict(include_top=include_top, weights=weights,
                                       input_tensor=input_tensor, input_shape=input_shape),
                     pooling, classes, classifier_activation, name or called, **options)
    make.__name__ = make.__qualname__ = title
    return make
