"""slim.nets.resnet_v2."""

from tensorflow.contrib.slim.nets import _resnet
from tensorflow.contrib.slim.nets._resnet import bottleneck_v2 as bottleneck
from tensorflow.contrib.slim.nets.resnet_utils import resnet_arg_scope

resnet_v2_50, resnet_v2_101 = _resnet.made(True, 50), _resnet.made(True, 101)
resnet_v2_152, resnet_v2_200 = _resnet.made(True, 152), _resnet.made(True, 200)


def resnet_v2_block(scope, base_depth, num_units, stride):
    return _resnet.block(bottleneck, scope, base_depth, num_units, stride)


def resnet_v2(inputs, blocks, *args, **kw):
    return _resnet.network(True, inputs, blocks, *args, **kw)
