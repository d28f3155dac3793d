"""What both kinds of residual networks of slim are built of."""

import collections

from tensorflow.contrib import layers as _l
from tensorflow.contrib.framework import add_arg_scope, arg_scope
from tensorflow._tf1.scopes import variable_scope

Block = collections.namedtuple("Block", ("scope", "unit_fn", "args"))


def subsample(inputs, factor, scope=None):
    return inputs if factor == 1 else _l.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def _padded(x, low, high):
    from tensorflow._array import pad
    return pad(x, [[0, 0], [low, high], [low, high], [0, 0]])


def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    if stride == 1:
        return _l.conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME",
                         scope=scope)
    reach = (kernel_size - 1) * rate
    padded = _padded(inputs, reach // 2, reach - reach // 2)
    return _l.conv2d(padded, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID",
                     scope=scope)


@add_arg_scope
def stack_blocks_dense(net, blocks, output_stride=None, store_non_strided_activations=False,
                       outputs_collections=None):
    """Strides beyond `output_stride` become rates."""
    now, rate = 1, 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]):
            for i, unit in enumerate(block.args):
                with variable_scope("unit_%d" % (i + 1), values=[net]):
                    if output_stride is not None and now == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        now *= unit.get("stride", 1)
    return net


def resnet_arg_scope(weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-5,
                     batch_norm_scale=True, **kw):
    norm = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale}
    with arg_scope([_l.conv2d], weights_regularizer=_l.l2_regularizer(weight_decay),
                   activation_fn=_l.relu, normalizer_fn=_l.batch_norm, normalizer_params=norm):
        with arg_scope([_l.batch_norm], **norm):
            with arg_scope([_l.max_pool2d], padding="SAME") as scope:
                return scope


def averaged(net):
    from tensorflow._math import reduce_mean
    return reduce_mean(net, [1, 2], keepdims=True)


def squeezed(net):
    from tensorflow._array import squeeze
    return squeeze(net, [1, 2])
