"""ConvNeXt (Liu et al. 2022); the models scale pictures themselves."""

from keras import layers
from keras._sequential import Sequential
from ._common import Build, family
from .imagenet_utils import decode_predictions, same_input as preprocess_input

_MEAN = [0.485 * 255, 0.456 * 255, 0.406 * 255]
_VARIANCE = [(0.229 * 255) ** 2, (0.224 * 255) ** 2, (0.225 * 255) ** 2]


class LayerScale(layers.Layer):
    """One learned factor a channel."""

    def __init__(self, init_values, projection_dim, **kwargs):
        super().__init__(**kwargs)
        self.init_values, self.projection_dim = init_values, projection_dim

    def build(self, input_shape):
        self.gamma = self.add_weight(shape=(self.projection_dim,), name="gamma", trainable=True)
        self.built = True

    def call(self, x):
        return x * self.gamma

    def get_config(self):
        return {**super().get_config(), "init_values": self.init_values,
                "projection_dim": self.projection_dim}


def _norm(name=None):
    return layers.LayerNormalization(epsilon=1e-6, name=name)


def _downsampling(i, dim, model):
    return Sequential([
        _norm(f"{model}_downsampling_layernorm_{i}"),
        layers.Conv2D(dim, 2, strides=2, name=f"{model}_downsampling_conv_{i}")],
        name=f"{model}_downsampling_block_{i}")


def _block(b, entry, dim, rate, name):
    x = b.conv(entry, dim, 7, name + "_depthwise_conv", use_bias=True, groups=dim)
    x = _norm(name + "_layernorm")(x)
    x = layers.Dense(4 * dim, name=name + "_pointwise_conv_1")(x)
    x = b.act(x, name + "_gelu", "gelu")
    x = layers.Dense(dim, name=name + "_pointwise_conv_2")(x)
    x = LayerScale(1e-6, dim, name=name + "_layer_scale")(x)
    if rate:
        x = layers.Dropout(rate, noise_shape=(None, 1, 1, 1), name=name + "_stochastic_depth")(x)
    else:
        x = b.act(x, name + "_identity", "linear")
    return entry + x


def _convnext(title, spec, picture, pooling, classes, activation, name,
              include_preprocessing=True, drop_path_rate=0.0, model_name=None, **old):
    depths, dims = spec
    name = model_name or name
    b = Build(224, **picture)
    x = b.image
    if include_preprocessing and b.channels(x) == 3:
        x = layers.Normalization(mean=_MEAN, variance=_VARIANCE, axis=b.axis,
                                 name=name + "_prestem_normalization")(x)
    x = Sequential([layers.Conv2D(dims[0], 4, strides=4, name=name + "_stem_conv"),
                    _norm(name + "_stem_layernorm")], name=name + "_stem")(x)
    done, total = 0, sum(depths)
    for i, (depth, dim) in enumerate(zip(depths, dims)):
        if i:
            x = _downsampling(i - 1, dim, name)(x)
        for j in range(depth):
            rate = drop_path_rate * done / max(total - 1, 1)
            x = _block(b, x, dim, rate, f"{name}_stage_{i}_block_{j}")
            done += 1
    if b.top:
        x = layers.GlobalAveragePooling2D(name=name + "_head_gap")(x)
        x = _norm(name + "_head_layernorm")(x)
        x = layers.Dense(classes, activation=activation, name=name + "_head_dense")(x)
    else:
        x = _norm()(b.pooled(x, pooling, False))
    return b.model(x, name)


def _member(size, depths, dims):
    return family(_convnext, "ConvNeXt" + size, depths, dims, called="convnext_" + size.lower())


ConvNeXtTiny = _member("Tiny", (3, 3, 9, 3), (96, 192, 384, 768))
ConvNeXtSmall = _member("Small", (3, 3, 27, 3), (96, 192, 384, 768))
ConvNeXtBase = _member("Base", (3, 3, 27, 3), (128, 256, 512, 1024))
ConvNeXtLarge = _member("Large", (3, 3, 27, 3), (192, 384, 768, 1536))
ConvNeXtXLarge = _member("XLarge", (3, 3, 27, 3), (256, 512, 1024, 2048))
