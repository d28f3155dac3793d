"""slim.nets.vgg: dense layers are convolutions."""

from tensorflow.contrib import layers as _l
from tensorflow.contrib.framework import arg_scope
from tensorflow.contrib.slim.nets.resnet_utils import squeezed
from tensorflow._tf1.scopes import variable_scope


def vgg_arg_scope(weight_decay=0.0005):
    with arg_scope([_l.conv2d, _l.fully_connected], activation_fn=_l.relu,
                   weights_regularizer=_l.l2_regularizer(weight_decay)):
        with arg_scope([_l.conv2d], padding="SAME") as scope:
            return scope


def _made(name, counts):
    def function(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5,
                 spatial_squeeze=True, scope=name, fc_conv_padding="VALID", **kw):
        with variable_scope(scope, name, [inputs]):
            y = inputs
            for i, (n, depth) in enumerate(zip(counts, (64, 128, 256, 512, 512))):
                y = _l.repeat(y, n, _l.conv2d, depth, [3, 3], scope="conv%d" % (i + 1))
                y = _l.max_pool2d(y, [2, 2], scope="pool%d" % (i + 1))
            y = _l.conv2d(y, 4096, [7, 7], padding=fc_conv_padding, scope="fc6")
            y = _l.dropout(y, dropout_keep_prob, is_training=is_training, scope="dropout6")
            y = _l.conv2d(y, 4096, [1, 1], scope="fc7")
            y = _l.dropout(y, dropout_keep_prob, is_training=is_training, scope="dropout7")
            y = _l.conv2d(y, num_classes, [1, 1], activation_fn=None, scope="fc8")
            if spatial_squeeze:
                y = squeezed(y)
            return y, {scope + "/fc8": y}
    function.__name__ = name
    function.default_image_size = 224
    return function


vgg_a, vgg_16 = _made("vgg_a", (1, 1, 2, 2, 2)), _made("vgg_16", (2, 2, 3, 3, 3))
vgg_19 = _made("vgg_19", (2, 2, 4, 4, 4))
