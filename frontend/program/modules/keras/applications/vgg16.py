"""VGG (Simonyan and Zisserman 2014)."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import caffe_input as preprocess_input, decode_predictions

_FILTERS = (64, 128, 256, 512, 512)


def _vgg(title, repeats, picture, pooling, classes, activation, name):
    b = Build(224, **picture)
    x = b.image
    for i, (filters, repeat) in enumerate(zip(_FILTERS, repeats), 1):
        for j in range(1, repeat + 1):
            x = b.conv(x, filters, 3, f"block{i}_conv{j}", use_bias=True, activation="relu")
        x = layers.MaxPooling2D(2, strides=2, name=f"block{i}_pool")(x)
    if not b.top:
        if pooling == "avg":
            x = layers.GlobalAveragePooling2D()(x)
        elif pooling == "max":
            x = layers.GlobalMaxPooling2D()(x)
        return b.model(x, name)
    x = layers.Flatten(name="flatten")(x)
    for fc in ("fc1", "fc2"):
        x = layers.Dense(4096, activation="relu", name=fc)(x)
    return b.model(layers.Dense(classes, activation=activation, name="predictions")(x), name)


VGG16 = family(_vgg, "VGG16", 2, 2, 3, 3, 3)
VGG19 = family(_vgg, "VGG19", 2, 2, 4, 4, 4)
