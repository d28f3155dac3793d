"""What XLA has besides plain ops: normalisation, collectives, the helpers of builder/lib."""

import _tilewise
from jax import lax as _lax
from jax import numpy as _numpy
from jax import _core
from _tilewise_xla import _binary, _constant, _op, shaped, value_of


# ---- normalisation

def _whole(a, like, feature):
    return _lax.broadcast_in_dim(a, like.shape, (feature,))


def BatchNormInference(x, scale, offset, mean, variance, epsilon, feature):
    def run(v, s, o, m, n):
        factor = _whole(s * _lax.rsqrt(n + epsilon), v, feature)
        return (v - _whole(m, v, feature)) * factor + _whole(o, v, feature)
    return _op("BatchNormInference", run, x, scale, offset, mean, variance)


def BatchNormTraining(x, scale, offset, epsilon, feature):
    def run(v, s, o):
        others = tuple([i for i in range(len(v.shape)) if i != feature])
        mean, variance = _numpy.mean(v, axis=others), _numpy.var(v, axis=others)
        factor = _whole(s * _lax.rsqrt(variance + epsilon), v, feature)
        return ((v - _whole(mean, v, feature)) * factor + _whole(o, v, feature), mean, variance)
    return _op("BatchNormTraining", run, x, scale, offset)


def BatchNormGrad(x, scale, mean, variance, gradient, epsilon, feature):
    """Gradients of the input, of the scale and of the offset."""
    def run(v, s, m, n, g):
        others = tuple([i for i in range(len(v.shape)) if i != feature])
        count = 1
        for i in others:
            count *= v.shape[i]
        inverse = _lax.rsqrt(n + epsilon)
        centred = v - _whole(m, v, feature)
        of_offset = _numpy.sum(g, axis=others)
        of_scale = _numpy.sum(g * centred, axis=others) * inverse
        middle = g - _whole(of_offset / count, v, feature) - centred * _whole(
            of_scale * inverse / count, v, feature)
        return (middle * _whole(s * inverse, v, feature), of_scale, of_offset)
    return _op("BatchNormGrad", run, x, scale, mean, variance, gradient)


# ---- collectives: a group is as large as the program says, else all cores

def _group(groups):
    for group in groups if isinstance(groups, list) else []:
        return len(group.ids)
    return 0


class ReplicaGroup:
    def __init__(self):
        self.ids = []

    def add_replica_ids(self, i):
        self.ids.append(i)


def _collective(kind, x, **attributes):
    return _op(kind, lambda v: _core.new(_tilewise.op("tw." + kind, [v._h], attributes)), x)


def CrossReplicaSum(x, groups=None, *more):
    return _collective("all_reduce", x, group=_group(groups))


def AllReduce(x, computation=None, groups=None, *more):
    return _collective("all_reduce", x, group=_group(groups))


def AllReduceTuple(operands, computation=None, groups=None, *more):
    made = [AllReduce(x, computation, groups) for x in operands]
    return _op("Tuple", lambda values: tuple(values), made)


def AllGather(x, dim, shards, *more):
    return _collective("all_gather", x, dim=dim, group=shards)


def ReduceScatter(x, computation, dim, shards, *more):
    return _collective("reduce_scatter", x, dim=dim, group=shards)


def AllToAll(x, split, joined, shards, *more):
    return _collective("all_to_all", x, split=split, joined=joined, group=shards)


def CollectivePermute(x, pairs, *more):
    shift = 1
    for source, target in pairs if isinstance(pairs, list) else []:
        shift = abs(target - source)
        break
    count = len(pairs) if isinstance(pairs, list) else 0
    return _collective("collective_permute", x, shift=shift, group=count)


def ReplicaId(builder):
    return _constant(builder, _lax.full((), 0, "uint32"))


PartitionId = ReplicaId


# ---- what runs outside of XLA's own ops

def CustomCall(builder, target, operands, shape, *more):
    _tilewise.note("the custom call '" + str(target) + "' has a result of known shape, and a cost "
                   "that is not known")
    return shaped(str(target), list(operands), shape.dimensions(), shape.element_type())


CustomCallWithLayout = CustomCall


def _unknown_cost(name, x, sizes=None, kind=None):
    value = value_of(x)
    _tilewise.note("the cost of " + name + " is not known")
    return shaped(name, [x], value.shape if sizes is None else sizes, kind or value.dtype)


def Cholesky(x, lower=True):
    return _unknown_cost("Cholesky", x)


def TriangularSolve(a, b, *more):
    return _unknown_cost("TriangularSolve", b)


def Fft(x, kind, length):
    return _unknown_cost("Fft", x)


def Infeed(builder, shape, config=""):
    from _tilewise_xla import Parameter
    return Parameter(builder, len(builder.parameters), shape, "infeed")


def Outfeed(x, *more):
    """The host gets it."""


# ---- pooling

class TensorFormat:
    def __init__(self, batch=0, feature=1, spatial=()):
        self.batch, self.feature, self.spatial = batch, feature, list(spatial)

    def batch_dimension(self):
        return self.batch

    def feature_dimension(self):
        return self.feature

    def spatial_dimension(self, i):
        return self.spatial[i]

    def num_spatial_dims(self):
        return len(self.spatial)


def MaxPool(x, window, strides, padding, *more):
    return _op("MaxPool", lambda v: _lax.reduce_window(
        v, -3e38, _lax.max, list(window), list(strides), padding), x)


def AvgPool(x, window, strides, padding, form, counts_padding=False):
    def run(v):
        low, high = [0] * len(v.shape), [0] * len(v.shape)
        for dim, pair in zip(form.spatial, padding):
            low[dim], high[dim] = pair
        pads = list(zip(low, high))

        def summed(a):
            return _lax.reduce_window(a, 0.0, _lax.add, list(window), list(strides), pads)
        if counts_padding or not any(low + high):
            count = 1
            for size in window:
                count *= size
            return summed(v) / count
        return summed(v) / summed(_numpy.ones_like(v))
    return _op("AvgPool", run, x)


def MakeSpatialPadding(sizes, window, strides, padding, form):
    return [_spatial(size, window[form.spatial[i]], strides[form.spatial[i]], padding)
            for i, size in enumerate(sizes)]


def _spatial(size, window, stride, padding):
    if padding != "SAME":
        return (0, 0)
    outputs = -(-size // stride)
    total = max((outputs - 1) * stride + window - size, 0)
    return (total // 2, total - total // 2)


def MakePadding(sizes, window, strides, padding):
    return [_spatial(n, w, s, padding) for n, w, s in zip(sizes, window, strides)]


def AvgPoolGrad(gradient, sizes, window, strides, padding, form, counts_padding=False):
    kind = value_of(gradient).dtype
    return _unknown_cost("AvgPoolGrad", gradient, list(sizes), kind)


# ---- arithmetic and matrices

def BatchDot(a, *more):
    """With or without flags that say which operand is transposed."""
    if isinstance(more[0], bool):
        a = TransposeInMinorDims(a) if more[0] else a
        b = TransposeInMinorDims(more[1]) if len(more) > 2 and more[2] else more[1]
        more = more[2:]
    else:
        b = more[0]
    precision = _precision_of(more[1:])
    return _op("BatchDot", lambda v, w: _lax.batch_matmul(v, w, precision), a, b)


def _precision_of(values):
    """What comes behind the operands: a precision, if any."""
    words = [v for v in values if isinstance(v, str)]
    return words[0] if words else None


def Einsum(x, y, equation=None, *more):
    if isinstance(y, str):
        return _op("Einsum", lambda v: _numpy.einsum(y, v), x)
    precision = _precision_of(more)
    return _op("Einsum", lambda v, w: _numpy.einsum(equation, v, w, precision=precision), x, y)


def TransposeInMinorDims(x):
    return _op("TransposeInMinorDims", lambda v: _numpy.swapaxes(v, -1, -2), x)


def MaybeTransposeInMinorDims(x, transposes):
    return TransposeInMinorDims(x) if transposes else x


def MaybeConjugate(x, conjugates):
    return x


def IdentityMatrix(builder, kind, m, n):
    return _constant(builder, _numpy.eye(m, n, dtype=kind))


def Triangle(x, lower=True):
    return _op("Triangle", _numpy.tril if lower else _numpy.triu, x)


def LowerTriangle(x):
    return Triangle(x, True)


def UpperTriangle(x):
    return Triangle(x, False)


def GetMatrixDiagonal(x, k=0):
    return _op("GetMatrixDiagonal", lambda v: _numpy.diagonal(v, k, -2, -1), x)


def ArgMax(x, kind, axis, *more):
    return _op("ArgMax", lambda v: _lax.convert_element_type(_lax.argmax(v, axis), kind), x)


def ArgMin(x, kind, axis, *more):
    return _op("ArgMin", lambda v: _lax.convert_element_type(_lax.argmin(v, axis), kind), x)


def Any(x):
    return _op("Any", lambda v: _numpy.any(v), x)


def EvaluatePolynomial(x, coefficients, *more, kind=None):
    def run(v, *numbers):
        total = _numpy.zeros_like(v)
        for number in numbers:
            total = total * v + number
        return total
    return _op("EvaluatePolynomial", run, x, *list(coefficients))


# ---- slices and sorting

def SliceInMinorDims(x, begin, end):
    def run(v):
        lead = len(v.shape) - len(begin)
        return _lax.slice(v, [0] * lead + list(begin), list(v.shape[:lead]) + list(end))
    return _op("SliceInMinorDims", run, x)


def UpdateSlice(x, update, starts):
    return _op("UpdateSlice", _core.dynamic_update_slice, x, update, list(starts))


def _behind(v, starts):
    return [0] * (len(v.shape) - len(starts)) + list(starts)


def UpdateSliceInMinorDims(x, update, starts):
    return _op("UpdateSlice", lambda v, u: _core.dynamic_update_slice(v, u, _behind(v, starts)), x,
               update)


def DynamicSliceInMinorDims(x, starts, sizes):
    def run(v, places):
        lead = list(v.shape[:len(v.shape) - len(sizes)])
        return _core.dynamic_slice(v, _behind(v, places), lead + list(sizes))
    return _op("DynamicSlice", run, x, list(starts))


def DynamicUpdateSliceInMinorDims(x, update, starts):
    return _op("DynamicUpdateSlice", lambda v, u, places: _core.dynamic_update_slice(
        v, u, _behind(v, places)), x, update, list(starts))


def TorchGather(x, indices, dim, *more):
    return _op("TorchGather", lambda v, i: _numpy.take_along_axis(v, i, dim), x, indices)


def TorchIndexSelect(x, indices, dim, *more):
    return _op("TorchIndexSelect", lambda v, i: _numpy.take(v, i, axis=dim), x, indices)


def TopK(x, k, *more):
    return _op("TopK", lambda v: tuple(_lax.top_k(v, k)), x)


TopKWithPartitions = TopK


# ---- random bits and loops

def RngBitGenerator(algorithm, state, shape):
    def run(key):
        return (key, _lax.rng_bit_generator(None, tuple(shape.dimensions()))[1])
    return _op("RngBitGenerator", run, state)


class RngOutput:
    def __init__(self, value, state):
        self.value, self.state = value, state


def ThreeFryBitGenerator(key, state, shape):
    bits = _lax.rng_bit_generator(None, tuple(shape.dimensions()))[1]
    return RngOutput(_op("Rng", lambda k: bits, key), state)


PhiloxBitGenerator = ThreeFryBitGenerator


def _distribution(kind):
    def draw(key, state, generator, *more):
        from jax import random
        sizes = tuple(more[-1].dimensions())
        drawn = _op("Rng", lambda k: getattr(random, kind)(random.PRNGKey(0), sizes), key)
        return RngOutput(drawn, state)
    return draw


UniformFloatingPointDistribution = _distribution("uniform")
NormalFloatingPointDistribution = _distribution("normal")


def WhileLoopHelper(condition, body, initial, name="", builder=None):
    """Functions that build the condition and the body out of handles."""
    def handles(values):
        return [_constant(builder, v) for v in values]

    def run(values):
        return _lax.while_loop(
            lambda v: value_of(condition(handles(v), builder)),
            lambda v: tuple([value_of(x) for x in body(handles(v), builder)]), tuple(values))
    made = _op("While", run, list(initial))
    return [_op("GetTupleElement", lambda v, i=i: v[i], made) for i in range(len(initial))]


def ForEachIndex(count, kind, body, initial, name="", builder=None):
    first = _constant(builder, _lax.full((), 0, kind))
    last = _constant(builder, _lax.full((), count, kind))
    one = _constant(builder, _lax.full((), 1, kind))

    def step(values, at):
        return [_binary("Add", values[0], one)] + list(body(values[0], values[1:], at))
    made = WhileLoopHelper(lambda values, at: _binary("Lt", values[0], last), step,
                           [first] + list(initial), name, builder)
    return made[1:]
