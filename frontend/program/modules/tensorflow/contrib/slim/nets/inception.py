"""slim.nets.inception: the third version."""

from tensorflow.contrib import layers as _l
from tensorflow.contrib.framework import arg_scope
from tensorflow.contrib.slim.nets.resnet_utils import squeezed
from tensorflow._tf1.scopes import variable_scope


def inception_v3_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars",
                           batch_norm_decay=0.9997, batch_norm_epsilon=0.001,
                           updates_collections="update_ops", use_fused_batchnorm=True):
    norm = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon,
            "updates_collections": updates_collections}
    with arg_scope([_l.conv2d, _l.fully_connected],
                   weights_regularizer=_l.l2_regularizer(weight_decay)):
        with arg_scope([_l.conv2d], activation_fn=_l.relu, normalizer_fn=_l.batch_norm,
                       normalizer_params=norm) as scope:
            return scope


def _joined(parts):
    from tensorflow._array import concat
    return concat(parts, 3)


def _branch(x, name, *convs):
    """Convolutions (outputs, height, width, stride) one after the other."""
    with variable_scope(name):
        for outputs, h, w, stride in convs:
            kw = {"stride": stride}
            if stride == 2:
                kw["padding"] = "VALID"
            x = _l.conv2d(x, outputs, [h, w], **kw)
        return x


def _pooled(x, outputs):
    with variable_scope("Branch_3"):
        y = _l.avg_pool2d(x, [3, 3], stride=1, padding="SAME")
        return _l.conv2d(y, outputs, [1, 1])


def _a(x, d, pool):
    return _joined([
        _branch(x, "Branch_0", (d(64), 1, 1, 1)),
        _branch(x, "Branch_1", (d(48), 1, 1, 1), (d(64), 5, 5, 1)),
        _branch(x, "Branch_2", (d(64), 1, 1, 1), (d(96), 3, 3, 1), (d(96), 3, 3, 1)),
        _pooled(x, d(pool))])


def _b(x, d, n):
    n = d(n)
    return _joined([
        _branch(x, "Branch_0", (d(192), 1, 1, 1)),
        _branch(x, "Branch_1", (n, 1, 1, 1), (n, 1, 7, 1), (d(192), 7, 1, 1)),
        _branch(x, "Branch_2", (n, 1, 1, 1), (n, 7, 1, 1), (n, 1, 7, 1), (n, 7, 1, 1),
                (d(192), 1, 7, 1)),
        _pooled(x, d(192))])


def _c(x, d):
    one = _branch(x, "Branch_1", (d(384), 1, 1, 1))
    two = _branch(x, "Branch_2", (d(448), 1, 1, 1), (d(384), 3, 3, 1))
    parts = [_branch(x, "Branch_0", (d(320), 1, 1, 1))]
    for i, y in enumerate((one, two)):
        parts.append(_branch(y, "Branch_%d_a" % (i + 1), (d(384), 1, 3, 1)))
        parts.append(_branch(y, "Branch_%d_b" % (i + 1), (d(384), 3, 1, 1)))
    return _joined(parts + [_pooled(x, d(192))])


def _smaller(x, branches):
    parts = [_branch(x, "Branch_%d" % i, *b) for i, b in enumerate(branches)]
    return _joined(parts + [_l.max_pool2d(x, [3, 3], stride=2, padding="VALID")])


def inception_v3_base(inputs, final_endpoint="Mixed_7c", min_depth=16, depth_multiplier=1.0,
                      scope=None):
    def d(n):
        return max(int(n * depth_multiplier), min_depth)
    ends = {}
    with variable_scope(scope, "InceptionV3", [inputs]):
        with arg_scope([_l.conv2d, _l.max_pool2d, _l.avg_pool2d], stride=1, padding="VALID"):
            y = _l.conv2d(inputs, d(32), [3, 3], stride=2, scope="Conv2d_1a_3x3")
            y = _l.conv2d(y, d(32), [3, 3], scope="Conv2d_2a_3x3")
            y = _l.conv2d(y, d(64), [3, 3], padding="SAME", scope="Conv2d_2b_3x3")
            y = _l.max_pool2d(y, [3, 3], stride=2, scope="MaxPool_3a_3x3")
            y = _l.conv2d(y, d(80), [1, 1], scope="Conv2d_3b_1x1")
            y = _l.conv2d(y, d(192), [3, 3], scope="Conv2d_4a_3x3")
            y = _l.max_pool2d(y, [3, 3], stride=2, scope="MaxPool_5a_3x3")
        steps = [("Mixed_5b", lambda x: _a(x, d, 32)), ("Mixed_5c", lambda x: _a(x, d, 64)),
                 ("Mixed_5d", lambda x: _a(x, d, 64)),
                 ("Mixed_6a", lambda x: _smaller(x, [
                     [(d(384), 3, 3, 2)],
                     [(d(64), 1, 1, 1), (d(96), 3, 3, 1), (d(96), 3, 3, 2)]])),
                 ("Mixed_6b", lambda x: _b(x, d, 128)), ("Mixed_6c", lambda x: _b(x, d, 160)),
                 ("Mixed_6d", lambda x: _b(x, d, 160)), ("Mixed_6e", lambda x: _b(x, d, 192)),
                 ("Mixed_7a", lambda x: _smaller(x, [
                     [(d(192), 1, 1, 1), (d(320), 3, 3, 2)],
                     [(d(192), 1, 1, 1), (d(192), 1, 7, 1), (d(192), 7, 1, 1),
                      (d(192), 3, 3, 2)]])),
                 ("Mixed_7b", lambda x: _c(x, d)), ("Mixed_7c", lambda x: _c(x, d))]
        with arg_scope([_l.conv2d, _l.max_pool2d, _l.avg_pool2d], stride=1, padding="SAME"):
            for name, step in steps:
                with variable_scope(name):
                    y = ends[name] = step(y)
                if name == final_endpoint:
                    break
    return y, ends


def _auxiliary(x, d, num_classes):
    with variable_scope("AuxLogits"):
        y = _l.avg_pool2d(x, [5, 5], stride=3, padding="VALID")
        y = _l.conv2d(y, d(128), [1, 1])
        size = y.shape.as_list()[1:3]
        y = _l.conv2d(y, d(768), [min(5, size[0]), min(5, size[1])], padding="VALID")
        y = _l.conv2d(y, num_classes, [1, 1], activation_fn=None, normalizer_fn=None)
        return squeezed(y)


def inception_v3(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16,
                 depth_multiplier=1.0, prediction_fn=_l.softmax, spatial_squeeze=True, reuse=None,
                 create_aux_logits=True, scope="InceptionV3", **kw):
    def d(n):
        return max(int(n * depth_multiplier), min_depth)
    with variable_scope(scope, "InceptionV3", [inputs], reuse=reuse) as sc:
        with arg_scope([_l.batch_norm, _l.dropout], is_training=is_training):
            y, ends = inception_v3_base(inputs, scope=sc, min_depth=min_depth,
                                        depth_multiplier=depth_multiplier)
            if create_aux_logits and num_classes:
                with arg_scope([_l.conv2d, _l.max_pool2d, _l.avg_pool2d], stride=1,
                               padding="SAME"):
                    ends["AuxLogits"] = _auxiliary(ends["Mixed_6e"], d, num_classes)
            with variable_scope("Logits"):
                size = y.shape.as_list()[1:3]
                y = _l.avg_pool2d(y, [min(8, size[0]), min(8, size[1])], padding="VALID")
                y = _l.dropout(y, keep_prob=dropout_keep_prob)
                ends["PreLogits"] = y
                y = _l.conv2d(y, num_classes, [1, 1], activation_fn=None, normalizer_fn=None)
                if spatial_squeeze:
                    y = squeezed(y)
            ends["Logits"] = y
            ends["Predictions"] = prediction_fn(y)
    return y, ends


inception_v3.default_image_size = 299
