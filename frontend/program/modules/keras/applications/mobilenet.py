"""MobileNet (Howard et al. 2017)."""

from keras import layers
from ._common import Build
from .imagenet_utils import decode_predictions, tf_input as preprocess_input

# Channels and steps of the separable blocks.
_BLOCKS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1),
           (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1))


def _relu(x, name):
    return layers.ReLU(6.0, name=name)(x)


def _block(b, x, filters, stride, multiplier, i):
    if stride == 2:
        x = b.pad(x, ((0, 1), (0, 1)), f"conv_pad_{i}")
    x = layers.DepthwiseConv2D(
        3, strides=stride, padding="same" if stride == 1 else "valid",
        depth_multiplier=multiplier, use_bias=False, name=f"conv_dw_{i}")(x)
    x = _relu(b.bn(x, f"conv_dw_{i}_bn"), f"conv_dw_{i}_relu")
    x = b.conv(x, filters, 1, f"conv_pw_{i}")
    return _relu(b.bn(x, f"conv_pw_{i}_bn"), f"conv_pw_{i}_relu")


def MobileNet(input_shape=None, alpha=1.0, depth_multiplier=1, dropout=1e-3, include_top=True,
              weights="imagenet", input_tensor=None, pooling=None, classes=1000,
              classifier_activation="softmax", name=None, **old):
    b = Build(224, include_top, weights, input_tensor, input_shape)
    x = b.conv(b.image, int(32 * alpha), 3, "conv1", 2)
    x = _relu(b.bn(x, "conv1_bn"), "conv1_relu")
    for i, (filters, stride) in enumerate(_BLOCKS, 1):
        x = _block(b, x, int(filters * alpha), stride, depth_multiplier, i)
    if include_top:
        x = layers.GlobalAveragePooling2D(keepdims=True)(x)
        x = layers.Dropout(dropout, name="dropout")(x)
        x = b.conv(x, classes, 1, "conv_preds", use_bias=True)
        x = layers.Reshape((classes,), name="reshape_2")(x)
        x = b.act(x, "predictions", classifier_activation)
    else:
        x = b.pooled(x, pooling, False)
    return b.model(x, name or f"mobilenet_{alpha:0.2f}_{b.side()}")
