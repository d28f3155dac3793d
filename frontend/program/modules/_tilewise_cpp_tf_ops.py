"""What ops of TensorFlow's graphs compute, on symbols: their C++ order of operands."""

import _tilewise
import tensorflow as _tf
from tensorflow import _nn

_unk = _tilewise.is_unknown
VARIABLES = ("Variable", "VariableV2", "VarHandleOp", "TemporaryVariable")
ASSIGNS = ("Assign", "AssignVariableOp", "NoOp", "Group", "SaveV2", "RestoreV2", "InitializeTable")
# What `.loss` and the like of an op stand for, by their index.
RESULTS = {"output": 0, "out": 0, "z": 0, "y": 0, "loss": 0, "activations": 0, "product": 0,
           "sum": 0, "ref": 0, "values": 0, "image": 0, "backprop": 1, "indices": 1, "idx": 1,
           "batch_mean": 1, "batch_variance": 2, "resource": 0, "value": 0, "backprops": 0,
           "output_ref": 0, "concat": 0, "outputs": 0, "r0": 0}
# Optimizers, with the operands that say their settings.
OPTIMIZERS = {
    "ApplyGradientDescent": ("SGD", {"lr": 1}), "ApplyMomentum": ("SGD", {"lr": 2, "momentum": 4}),
    "ApplyKerasMomentum": ("SGD", {"lr": 2, "momentum": 4}), "ApplyAdam": ("Adam", {"lr": 5}),
    "ApplyAdagrad": ("Adagrad", {"lr": 2}), "ApplyRMSProp": ("RMSprop", {"lr": 3, "momentum": 5}),
    "ApplyAdadelta": ("Adadelta", {"lr": 3}), "ApplyAdaMax": ("Adamax", {"lr": 4}),
    "ApplyFtrl": ("Ftrl", {"lr": 4}), "ApplyCenteredRMSProp": ("RMSprop", {"lr": 4}),
}
UPDATES = tuple(["Resource" * r + kind for kind in OPTIMIZERS for r in (0, 1)]) + (
    "AssignSub", "AssignAdd", "Assign", "AssignSubVariableOp", "AssignAddVariableOp",
    "AssignVariableOp")
# Ops that are functions of TensorFlow with the same operands.
_SAME = {
    "Abs": "abs", "Acos": "acos", "Add": "add", "AddV2": "add", "Asin": "asin", "Atan": "atan",
    "BroadcastTo": "broadcast_to", "Ceil": "math.ceil", "ClipByValue": "clip_by_value",
    "Conj": "math.conj", "Cos": "cos", "Cosh": "cosh", "Div": "divide", "DivNoNan":
    "math.divide_no_nan", "Elu": "nn.elu", "Equal": "equal", "Erf": "math.erf", "Exp": "exp",
    "ExpandDims": "expand_dims", "Expm1": "math.expm1", "Floor": "floor", "FloorDiv":
    "math.floordiv", "FloorMod": "math.floormod", "Greater": "greater", "GreaterEqual":
    "greater_equal", "Identity": "identity", "Inv": "math.reciprocal", "IsNan": "math.is_nan",
    "L2Loss": "nn.l2_loss", "Less": "less", "LessEqual": "less_equal", "Log": "math.log",
    "Log1p": "math.log1p", "LogicalAnd": "logical_and", "LogicalNot": "logical_not",
    "LogicalOr": "logical_or", "LogSoftmax": "nn.log_softmax", "Maximum": "maximum",
    "Minimum": "minimum", "Mod": "math.floormod", "Mul": "multiply", "Multiply": "multiply",
    "Neg": "negative", "Negate": "negative", "NotEqual": "not_equal", "OnesLike": "ones_like",
    "Pow": "pow", "PreventGradient": "identity", "ReadVariableOp": "identity", "RealDiv":
    "divide", "Reciprocal": "math.reciprocal", "Relu": "nn.relu", "Relu6": "nn.relu6",
    "Reshape": "reshape", "Round": "round", "Rsqrt": "math.rsqrt", "Selu": "nn.selu",
    "Shape": "shape", "Sigmoid": "sigmoid", "Sign": "sign", "Sin": "sin", "Sinh": "sinh",
    "Size": "size", "Slice": "slice", "Softmax": "nn.softmax", "Softplus": "nn.softplus",
    "Softsign": "nn.softsign", "Sqrt": "sqrt", "Square": "square", "SquaredDifference":
    "math.squared_difference", "StopGradient": "stop_gradient", "Sub": "subtract", "Subtract":
    "subtract", "Tan": "tan", "Tanh": "tanh", "Tile": "tile", "Transpose": "transpose",
    "ZerosLike": "zeros_like", "Rank": "rank", "Range": "range", "PlaceholderWithDefault":
    "identity", "Print": "identity", "CheckNumerics": "identity", "Xdivy": "math.xdivy",
    "GatherNd": "gather_nd", "InTopK": "math.in_top_k", "Where3": "where", "Select": "where",
    "SelectV2": "where", "Reverse": "reverse", "ReverseV2": "reverse", "Diag": "linalg.diag",
    "Einsum": "einsum", "InvertPermutation": "math.invert_permutation", "Snapshot": "identity",
    "SpaceToDepth": "nn.space_to_depth", "DepthToSpace": "nn.depth_to_space", "Gelu": "nn.gelu",
    "SegmentSum": "math.segment_sum", "UnsortedSegmentSum": "math.unsorted_segment_sum",
}
_REDUCTIONS = {"Sum": "reduce_sum", "Mean": "reduce_mean", "Max": "reduce_max",
               "Min": "reduce_min", "Prod": "reduce_prod", "All": "reduce_all",
               "Any": "reduce_any", "EuclideanNorm": "math.reduce_euclidean_norm"}
for _kind in list(_REDUCTIONS):
    _REDUCTIONS["Reduce" + _kind] = _REDUCTIONS[_kind]


def _found(path):
    at = _tf
    for part in path.split("."):
        at = getattr(at, part)
    return at


def _one(x):
    """`{x}` stands for x where an op takes one tensor; a text is `"SAME"` or such."""
    if isinstance(x, list) and len(x) == 1 and not isinstance(x[0], (int, float, bool, list)):
        return x[0]
    return x


def compute(kind, operands, attrs):
    """The result of an op, or the results as a tuple."""
    if kind in _SAME:
        return _found(_SAME[kind])(*[_one(x) for x in operands])
    if kind in _REDUCTIONS:
        axes = operands[1] if len(operands) > 1 else None
        return _found(_REDUCTIONS[kind])(_one(operands[0]), axis=axes,
                                         keepdims=bool(attrs.get("KeepDims", False)))
    made = _OWN.get(kind)
    if made is None:
        return _tilewise.unknown("the op " + kind + " of a graph")
    return made(attrs, *operands)


def _type(kind):
    import _tilewise_cpp_tf
    return _tilewise_cpp_tf.type_of(kind)


def _const(attrs, value, shape=None, *more):
    if isinstance(shape, list):
        flat = value[0] if isinstance(value, list) and len(value) == 1 else value
        if isinstance(flat, list):
            return _tf.reshape(_tf.constant(flat), shape)
        return _tf.fill(shape, flat)
    return value if hasattr(value, "_h") else _tf.constant(value)


def _matmul(attrs, a, b):
    return _tf.linalg.matmul(_one(a), _one(b), transpose_a=bool(attrs.get("TransposeA", False)),
                             transpose_b=bool(attrs.get("TransposeB", False)))


def _batch_matmul(attrs, a, b):
    return _tf.linalg.matmul(_one(a), _one(b), transpose_a=bool(attrs.get("AdjX", False)),
                             transpose_b=bool(attrs.get("AdjY", False)))


def _format(attrs):
    return str(attrs.get("DataFormat", "NHWC"))


def _conv(attrs, x, kernel, strides, padding):
    return _nn.convolution(_one(x), _one(kernel), strides, _one(padding), _format(attrs),
                           attrs.get("Dilations"))


def _depthwise(attrs, x, kernel, strides, padding):
    return _nn.depthwise_conv2d(_one(x), _one(kernel), strides, _one(padding), _format(attrs),
                                attrs.get("Dilations"))


def _transposed(attrs, sizes, kernel, x, strides, padding):
    return _nn.conv_transpose(_one(x), _one(kernel), sizes, strides, _one(padding),
                              _format(attrs))


def _pool(name):
    def pooled(attrs, x, size, strides, padding):
        return _found(name)(_one(x), size, strides, _one(padding), _format(attrs))
    return pooled


def _bias(attrs, x, b):
    return _tf.nn.bias_add(_one(x), _one(b), data_format=_format(attrs))


def _batch_norm(attrs, x, scale, offset, mean, variance):
    training = attrs.get("IsTraining", True)
    epsilon = attrs.get("Epsilon", 0.0001)
    from tensorflow.compat import v1
    if not training:
        return v1.nn.fused_batch_norm(_one(x), _one(scale), _one(offset), _one(mean),
                                      _one(variance), epsilon, _format(attrs), False)
    return v1.nn.fused_batch_norm(_one(x), _one(scale), _one(offset), None, None, epsilon,
                                  _format(attrs), True)


def _softmax_loss(attrs, logits, labels):
    logits = _one(logits)
    loss = _tf.nn.softmax_cross_entropy_with_logits(labels=_one(labels), logits=logits)
    return loss, logits


def _sparse_loss(attrs, logits, labels):
    logits = _one(logits)
    loss = _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=_one(labels), logits=logits)
    return loss, logits


def _concat(attrs, values, axis):
    return _tf.concat(values, axis)


def _stack(attrs, values):
    return _tf.stack(values, axis=attrs.get("Axis", 0))


def _unstack(attrs, x, num=None):
    return tuple(_tf.unstack(_one(x), num, attrs.get("Axis", 0)))


def _split(attrs, axis, x, num):
    return tuple(_tf.split(_one(x), num, _one(axis)))


def _squeeze(attrs, x):
    return _tf.squeeze(_one(x), attrs.get("SqueezeDims", attrs.get("Axis")))


def _cast(attrs, x, kind):
    return _tf.cast(_one(x), _type(kind))


def _fill(attrs, sizes, value):
    return _tf.fill(sizes, _one(value))


def _random(name):
    def drawn(attrs, sizes, kind=1):
        return _found(name)(sizes, dtype=_type(kind))
    return drawn


def _random_int(attrs, sizes, low, high):
    return _tf.random.uniform(sizes, low, high, dtype=_tf.int32)


def _multinomial(attrs, logits, number, *more):
    return _tf.random.categorical(_one(logits), _one(number))


def _one_hot(attrs, ids, depth, on=1.0, off=0.0):
    return _tf.one_hot(_one(ids), _one(depth), _one(on), _one(off), axis=attrs.get("Axis", -1))


def _arg(name):
    def found(attrs, x, axis):
        return _found(name)(_one(x), _one(axis))
    return found


def _gather(attrs, x, ids, axis=0, *more):
    return _tf.gather(_one(x), _one(ids), axis=_one(axis))


def _pad(attrs, x, sizes, value=0):
    return _tf.pad(_one(x), sizes, constant_values=value)


def _mirror_pad(attrs, x, sizes, mode):
    return _tf.pad(_one(x), sizes, mode)


def _strided_slice(attrs, x, begin, end, strides):
    return _tf.strided_slice(_one(x), begin, end, strides, attrs.get("BeginMask", 0),
                             attrs.get("EndMask", 0), attrs.get("EllipsisMask", 0),
                             attrs.get("NewAxisMask", 0), attrs.get("ShrinkAxisMask", 0))


def _leaky(attrs, x):
    return _tf.nn.leaky_relu(_one(x), attrs.get("Alpha", 0.2))


def _lrn(attrs, x):
    return _tf.nn.local_response_normalization(_one(x), attrs.get("DepthRadius", 5))


def _add_n(attrs, values):
    return _tf.add_n(values)


def _resize(method):
    def resized(attrs, x, sizes):
        return _tf.image.resize(_one(x), sizes, method=method)
    return resized


def _top_k(attrs, x, k):
    return tuple(_tf.math.top_k(_one(x), _one(k)))


def _cumsum(attrs, x, axis):
    return _tf.cumsum(_one(x), _one(axis))



_OWN = {
    "Const": _const, "MatMul": _matmul, "BatchMatMul": _batch_matmul,
    "BatchMatMulV2": _batch_matmul, "BatchMatMulV3": _batch_matmul, "Conv2D": _conv,
    "Conv3D": _conv, "DepthwiseConv2dNative": _depthwise, "Conv2DBackpropInput": _transposed,
    "MaxPool": _pool("nn.max_pool"), "MaxPool3D": _pool("nn.max_pool"),
    "MaxPoolV2": _pool("nn.max_pool"), "AvgPool": _pool("nn.avg_pool"),
    "AvgPool3D": _pool("nn.avg_pool"), "BiasAdd": _bias, "FusedBatchNorm": _batch_norm,
    "FusedBatchNormV2": _batch_norm, "FusedBatchNormV3": _batch_norm,
    "SoftmaxCrossEntropyWithLogits": _softmax_loss,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_loss, "Concat": _concat, "Stack": _stack,
    "Unstack": _unstack, "Split": _split, "Squeeze": _squeeze, "Cast": _cast, "Fill": _fill,
    "RandomNormal": _random("random.normal"), "RandomUniform": _random("random.uniform"),
    "TruncatedNormal": _random("random.truncated_normal"), "RandomUniformInt": _random_int,
    "Multinomial": _multinomial, "OneHot": _one_hot, "ArgMax": _arg("argmax"),
    "ArgMin": _arg("argmin"), "Gather": _gather, "GatherV2": _gather,
    "ResourceGather": _gather, "Pad": _pad, "PadV2": _pad, "MirrorPad": _mirror_pad,
    "StridedSlice": _strided_slice, "LeakyRelu": _leaky, "LRN": _lrn, "AddN": _add_n,
    "AccumulateNV2": _add_n, "ResizeBilinear": _resize("bilinear"),
    "ResizeBicubic": _resize("bicubic"), "ResizeNearestNeighbor": _resize("nearest"),
    "ResizeArea": _resize("area"), "TopK": _top_k, "TopKV2": _top_k, "Cumsum": _cumsum,
}
