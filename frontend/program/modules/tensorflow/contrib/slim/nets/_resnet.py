"""Residual networks of slim, both kinds."""

from tensorflow.contrib import layers as _l
from tensorflow.contrib.framework import arg_scope
from tensorflow.contrib.slim.nets import resnet_utils as _u
from tensorflow._tf1.scopes import variable_scope

DEPTHS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}


def bottleneck_v1(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None,
                  scope=None, **kw):
    with variable_scope(scope, "bottleneck_v1", [inputs]):
        if depth == inputs.shape.as_list()[-1]:
            shortcut = _u.subsample(inputs, stride, "shortcut")
        else:
            shortcut = _l.conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None,
                                 scope="shortcut")
        y = _l.conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        y = _u.conv2d_same(y, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        y = _l.conv2d(y, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return _l.relu(shortcut + y)


def bottleneck_v2(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None,
                  scope=None, **kw):
    with variable_scope(scope, "bottleneck_v2", [inputs]):
        pre = _l.batch_norm(inputs, activation_fn=_l.relu, scope="preact")
        if depth == inputs.shape.as_list()[-1]:
            shortcut = _u.subsample(inputs, stride, "shortcut")
        else:
            shortcut = _l.conv2d(pre, depth, [1, 1], stride=stride, normalizer_fn=None,
                                 activation_fn=None, scope="shortcut")
        y = _l.conv2d(pre, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        y = _u.conv2d_same(y, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        y = _l.conv2d(y, depth, [1, 1], stride=1, normalizer_fn=None, activation_fn=None,
                      scope="conv3")
        return shortcut + y


def block(unit, scope, base_depth, num_units, stride):
    """The last unit of a block has its stride."""
    sizes = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    units = [dict(sizes, stride=1) for _ in range(num_units - 1)]
    return _u.Block(scope, unit, units + [dict(sizes, stride=stride)])


def network(second, inputs, blocks, num_classes=None, is_training=True, global_pool=True,
            output_stride=None, include_root_block=True, spatial_squeeze=True, reuse=None,
            scope=None, **kw):
    if num_classes is True or num_classes is False:
        is_training, num_classes = num_classes, None
    name = "resnet_v2" if second else "resnet_v1"
    with variable_scope(scope, name, [inputs], reuse=reuse) as sc:
        with arg_scope([_l.batch_norm], is_training=is_training):
            y = inputs
            if include_root_block:
                if output_stride is not None:
                    output_stride //= 4
                if second:
                    with arg_scope([_l.conv2d], activation_fn=None, normalizer_fn=None):
                        y = _u.conv2d_same(y, 64, 7, stride=2, scope="conv1")
                else:
                    y = _u.conv2d_same(y, 64, 7, stride=2, scope="conv1")
                y = _l.max_pool2d(y, [3, 3], stride=2, scope="pool1")
            y = _u.stack_blocks_dense(y, blocks, output_stride)
            if second:
                y = _l.batch_norm(y, activation_fn=_l.relu, scope="postnorm")
            ends = {sc.name + "/block4": y}
            if global_pool:
                y = ends["global_pool"] = _u.averaged(y)
            if num_classes:
                y = _l.conv2d(y, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                              scope="logits")
                if spatial_squeeze and global_pool:
                    y = _u.squeezed(y)
                ends["predictions"] = _l.softmax(y)
            return y, ends


def made(second, depth):
    unit = bottleneck_v2 if second else bottleneck_v1
    name = "resnet_v%d_%d" % (2 if second else 1, depth)

    def function(inputs, num_classes=None, is_training=True, global_pool=True,
                 output_stride=None, spatial_squeeze=True, reuse=None, scope=None, **kw):
        blocks = [block(unit, "block%d" % (i + 1), 64 * 2 ** i, n, 1 if i == 3 else 2)
                  for i, n in enumerate(DEPTHS[depth])]
        return network(second, inputs, blocks, num_classes, is_training, global_pool,
                       output_stride, True, spatial_squeeze, reuse, scope or name)
    function.__name__ = name
    function.default_image_size = 224
    return function
