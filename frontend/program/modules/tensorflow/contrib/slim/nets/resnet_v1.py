"""slim.nets.resnet_v1."""

from tensorflow.contrib.slim.nets import _resnet
from tensorflow.contrib.slim.nets._resnet import bottleneck_v1 as bottleneck
from tensorflow.contrib.slim.nets.resnet_utils import resnet_arg_scope

resnet_v1_50, resnet_v1_101 = _resnet.made(False, 50), _resnet.made(False, 101)
resnet_v1_152, resnet_v1_200 = _resnet.made(False, 152), _resnet.made(False, 200)


def resnet_v1_block(scope, base_depth, num_units, stride):
    return _resnet.block(bottleneck, scope, base_depth, num_units, stride)


def resnet_v1(inputs, blocks, *args, **kw):
    return _resnet.network(False, inputs, blocks, *args, **kw)
