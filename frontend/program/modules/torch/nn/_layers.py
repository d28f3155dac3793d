"""Layers without a state of their own beside weights."""

import _tilewise
from . import functional as F
from .._tensor import Tensor, zeros, ones, tensor
from .parameter import Parameter
from ._module import Module, _set


def _tuple(value, n):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


def _weight(*shape, dtype=None, device=None):
    return Parameter(zeros(*shape, dtype=dtype))


_standing = []  # the size that stands for all that are not known


def _known_size(size, what):
    """A size that the shapes of what follows need, where the program's own is not known."""
    size = _tilewise.size_or(size)
    if not _tilewise.is_unknown(size):
        return size
    if not _standing:
        _standing.append(_tilewise.open_dim())
    _tilewise.note(what + " is not known: " + str(_standing[0]) + " stands for it in the count of "
                   "parameters (" + _tilewise.reason(size) + ")")
    return _standing[0]


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        Module.__init__(self)
        out_features = _known_size(out_features, "how many numbers a Linear layer gives")
        self.in_features, self.out_features = in_features, out_features
        self.weight = _weight(out_features, in_features, dtype=dtype)
        self.register_parameter("bias", _weight(out_features, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        pass

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)


NonDynamicallyQuantizableLinear = Linear


class LazyLinear(Linear):
    def __init__(self, out_features, bias=True, device=None, dtype=None):
        Linear.__init__(self, 0, out_features, bias, device, dtype)

    def forward(self, input):
        if self.in_features == 0:
            self.in_features = input.shape[-1]
            self.weight = _weight(self.out_features, self.in_features, dtype=self.weight.dtype)
        return F.linear(input, self.weight, self.bias)


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None,
                 dtype=None):
        Module.__init__(self)
        self.in1_features, self.in2_features, self.out_features = (
            in1_features, in2_features, out_features)
        self.weight = _weight(out_features, in1_features, in2_features, dtype=dtype)
        self.register_parameter("bias", _weight(out_features, dtype=dtype) if bias else None)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None,
                 norm_type=2.0, scale_grad_by_freq=False, sparse=False, _weight=None,
                 _freeze=False, device=None, dtype=None):
        Module.__init__(self)
        if _weight is None:
            num_embeddings = _known_size(num_embeddings, "how many rows an Embedding has")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.weight = Parameter(
            zeros(num_embeddings, embedding_dim, dtype=dtype) if _weight is None else _weight,
            not _freeze)
        self.reset_parameters()

    def reset_parameters(self):
        pass

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, **options):
        return cls(embeddings.shape[0], embeddings.shape[1], padding_idx, _weight=embeddings,
                   _freeze=freeze)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx)


class EmbeddingBag(Module):
    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0,
                 scale_grad_by_freq=False, mode="mean", sparse=False, _weight=None,
                 include_last_offset=False, padding_idx=None, device=None, dtype=None):
        Module.__init__(self)
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.include_last_offset, self.padding_idx = include_last_offset, padding_idx
        self.weight = Parameter(
            zeros(num_embeddings, embedding_dim, dtype=dtype) if _weight is None else _weight)

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, mode=self.mode,
                               per_sample_weights=per_sample_weights,
                               include_last_offset=self.include_last_offset)


# ---- convolutions


class _ConvNd(Module):
    _n = 2
    _function = None

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1,
                 groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        Module.__init__(self)
        n = self._n
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = (
            _tuple(kernel_size, n), _tuple(stride, n), _tuple(dilation, n))
        self.padding = padding if isinstance(padding, str) else _tuple(padding, n)
        self.padding_mode, self.transposed = padding_mode, False
        self.output_padding = (0,) * n
        self.weight = _weight(out_channels, in_channels // groups, *self.kernel_size, dtype=dtype)
        self.register_parameter("bias", _weight(out_channels, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        pass

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros" and padding != "valid":
            if padding == "same":
                total = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size)]
                pairs = [(t // 2, t - t // 2) for t in total]
            else:
                pairs = [(p, p) for p in padding]
            flat = [v for a, b in reversed(pairs) for v in (a, b)]
            input, padding = F.pad(input, flat, self.padding_mode), 0
        return F._convolution(self._n, input, weight, bias, self.stride, padding, self.dilation,
                              self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_ConvNd):
    _n = 1


class Conv2d(_ConvNd):
    pass


class Conv3d(_ConvNd):
    _n = 3


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0,
                 output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros",
                 device=None, dtype=None):
        _ConvNd.__init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation,
                         groups, False, padding_mode, device, dtype)
        self.transposed, self.output_padding = True, _tuple(output_padding, self._n)
        self.weight = _weight(in_channels, out_channels // groups, *self.kernel_size, dtype=dtype)
        self.register_parameter("bias", _weight(out_channels, dtype=dtype) if bias else None)

    def forward(self, input, output_size=None):
        extra = self.output_padding
        if output_size is not None:
            want = list(output_size)[-self._n:]
            extra = [w - ((s - 1) * t - 2 * p + d * (k - 1) + 1) for w, s, t, p, d, k in zip(
                want, list(input.shape)[-self._n:], self.stride, self.padding, self.dilation,
                self.kernel_size)]
        return F._conv_transpose(self._n, input, self.weight, self.bias, self.stride, self.padding,
                                 extra, self.groups, self.dilation)


class ConvTranspose1d(_ConvTransposeNd):
    _n = 1


class ConvTranspose2d(_ConvTransposeNd):
    pass


class ConvTranspose3d(_ConvTransposeNd):
    _n = 3


# ---- normalisation


class _NormBase(Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True,
                 track_running_stats=True, device=None, dtype=None):
        Module.__init__(self)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.register_parameter("weight", _weight(num_features, dtype=dtype) if affine else None)
        self.register_parameter("bias", _weight(num_features, dtype=dtype) if affine else None)
        kept = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, dtype=dtype) if kept else None)
        self.register_buffer("running_var", ones(num_features, dtype=dtype) if kept else None)
        self.register_buffer("num_batches_tracked", tensor(0) if kept else None)

    def reset_running_stats(self):
        pass

    reset_parameters = reset_running_stats

    def _check_input_dim(self, input):
        pass


class _BatchNorm(_NormBase):
    def forward(self, input):
        batch = self.training or self.running_mean is None
        return F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                            batch, self.momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    pass


class BatchNorm2d(_BatchNorm):
    pass


class BatchNorm3d(_BatchNorm):
    pass


class SyncBatchNorm(_BatchNorm):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True,
                 track_running_stats=True, process_group=None, device=None, dtype=None):
        _BatchNorm.__init__(self, num_features, eps, momentum, affine, track_running_stats)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        return module


class _InstanceNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False,
                 track_running_stats=False, device=None, dtype=None):
        _NormBase.__init__(self, num_features, eps, momentum, affine, track_running_stats, device,
                           dtype)

    def forward(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats, self.momentum,
                               self.eps)


class InstanceNorm1d(_InstanceNorm):
    pass


class InstanceNorm2d(_InstanceNorm):
    pass


class InstanceNorm3d(_InstanceNorm):
    pass


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None,
                 dtype=None):
        Module.__init__(self)
        self.normalized_shape = tuple(_tilewise.dims((normalized_shape,)))
        self.eps, self.elementwise_affine = eps, elementwise_affine
        shape = self.normalized_shape
        self.register_parameter("weight",
                                _weight(*shape, dtype=dtype) if elementwise_affine else None)
        self.register_parameter(
            "bias", _weight(*shape, dtype=dtype) if elementwise_affine and bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        pass

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None,
                 dtype=None):
        Module.__init__(self)
        self.normalized_shape = tuple(_tilewise.dims((normalized_shape,)))
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.register_parameter("weight", _weight(*self.normalized_shape, dtype=dtype)
                                if elementwise_affine else None)

    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        Module.__init__(self)
        if num_channels % num_groups != 0:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups, self.num_channels, self.eps, self.affine = (
            num_groups, num_channels, eps, affine)
        self.register_parameter("weight", _weight(num_channels, dtype=dtype) if affine else None)
        self.register_parameter("bias", _weight(num_channels, dtype=dtype) if affine else None)

    def reset_parameters(self):
        pass

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


# ---- layers that hold numbers only: (name, function, fields with their values)


_REQUIRED = object()


def _layer(name, function, fields=(), base=Module, training=False, rename=()):
    """A class whose forward gives its fields to `function`."""
    names = [f[0] for f in fields]
    renamed = dict(rename)

    class Layer(base):
        def __init__(self, *args, **kwargs):
            Module.__init__(self)
            for i, (field, value) in enumerate(fields):
                if i < len(args):
                    value = args[i]
                elif field in kwargs:
                    value = kwargs[field]
                elif value is _REQUIRED:
                    raise TypeError("missing argument: '" + field + "'")
                _set(self, field, value)

        if training:
            def forward(self, *inputs):
                own = self.__dict__
                return function(*inputs, training=self.training,
                                **{renamed.get(n, n): own[n] for n in names})
        else:
            def forward(self, *inputs):
                own = self.__dict__
                return function(*inputs, **{renamed.get(n, n): own[n] for n in names})

    Layer.__name__ = Layer.__qualname__ = name
    return Layer


_inplace = ("inplace", False)
_dim = (("dim", None),)


class _DropoutNd(Module):
    pass


ReLU = _layer("ReLU", F.relu, (_inplace,))
ReLU6 = _layer("ReLU6", F.relu6, (_inplace,))
SiLU = _layer("SiLU", F.silu, (_inplace,))
Mish = _layer("Mish", F.mish, (_inplace,))
Hardswish = _layer("Hardswish", F.hardswish, (_inplace,))
Hardsigmoid = _layer("Hardsigmoid", F.hardsigmoid, (_inplace,))
Hardtanh = _layer("Hardtanh", F.hardtanh, (("min_val", -1.0), ("max_val", 1.0), _inplace))
SELU = _layer("SELU", F.selu, (_inplace,))
ELU = _layer("ELU", F.elu, (("alpha", 1.0), _inplace))
CELU = _layer("CELU", F.celu, (("alpha", 1.0), _inplace))
GELU = _layer("GELU", F.gelu, (("approximate", "none"),))
LeakyReLU = _layer("LeakyReLU", F.leaky_relu, (("negative_slope", 0.01), _inplace))
RReLU = _layer("RReLU", F.rrelu, (("lower", 1 / 8), ("upper", 1 / 3), _inplace), training=True)
GLU = _layer("GLU", F.glu, (("dim", -1),))
Sigmoid = _layer("Sigmoid", Tensor.sigmoid)
Tanh = _layer("Tanh", Tensor.tanh)
LogSigmoid = _layer("LogSigmoid", F.logsigmoid)
Softsign = _layer("Softsign", F.softsign)
Softplus = _layer("Softplus", F.softplus, (("beta", 1), ("threshold", 20)))
Softshrink = _layer("Softshrink", F.softshrink, (("lambd", 0.5),))
Hardshrink = _layer("Hardshrink", F.hardshrink, (("lambd", 0.5),))
Tanhshrink = _layer("Tanhshrink", F.tanhshrink)
Threshold = _layer("Threshold", F.threshold,
                   (("threshold", _REQUIRED), ("value", _REQUIRED), _inplace))
Softmax = _layer("Softmax", F.softmax, _dim)
Softmin = _layer("Softmin", F.softmin, _dim)
LogSoftmax = _layer("LogSoftmax", F.log_softmax, _dim)
Softmax2d = _layer("Softmax2d", lambda input: input.softmax(-3))
Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout = (
    _layer(name, function, (("p", 0.5), _inplace), _DropoutNd, True)
    for name, function in (("Dropout", F.dropout), ("Dropout1d", F.dropout1d),
                           ("Dropout2d", F.dropout2d), ("Dropout3d", F.dropout3d),
                           ("AlphaDropout", F.alpha_dropout),
                           ("FeatureAlphaDropout", F.feature_alpha_dropout)))

_max_fields = (("kernel_size", _REQUIRED), ("stride", None), ("padding", 0), ("dilation", 1),
               ("return_indices", False), ("ceil_mode", False))
_avg_fields = (("kernel_size", _REQUIRED), ("stride", None), ("padding", 0), ("ceil_mode", False),
               ("count_include_pad", True), ("divisor_override", None))


class _MaxPoolNd(Module):
    pass


class _AvgPoolNd(Module):
    pass


class _AdaptiveAvgPoolNd(Module):
    pass


class _AdaptiveMaxPoolNd(Module):
    pass


MaxPool1d, MaxPool2d, MaxPool3d = (
    _layer("MaxPool%dd" % n, F._MAX[n], _max_fields, _MaxPoolNd) for n in (1, 2, 3))
AvgPool1d, AvgPool2d, AvgPool3d = (
    _layer("AvgPool%dd" % n, F._AVG[n], _avg_fields, _AvgPoolNd) for n in (1, 2, 3))
LPPool1d, LPPool2d = (
    _layer("LPPool%dd" % n, f, (("norm_type", _REQUIRED), ("kernel_size", _REQUIRED),
                                ("stride", None), ("ceil_mode", False)))
    for n, f in ((1, F.lp_pool1d), (2, F.lp_pool2d)))
AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d = (
    _layer("AdaptiveAvgPool%dd" % n, f, (("output_size", _REQUIRED),), _AdaptiveAvgPoolNd)
    for n, f in ((1, F.adaptive_avg_pool1d), (2, F.adaptive_avg_pool2d),
                 (3, F.adaptive_avg_pool3d)))
AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d = (
    _layer("AdaptiveMaxPool%dd" % n, f, (("output_size", _REQUIRED), ("return_indices", False)),
           _AdaptiveMaxPoolNd)
    for n, f in ((1, F.adaptive_max_pool1d), (2, F.adaptive_max_pool2d),
                 (3, F.adaptive_max_pool3d)))
MaxUnpool2d = _layer("MaxUnpool2d", F.max_unpool2d,
                     (("kernel_size", _REQUIRED), ("stride", None), ("padding", 0)))
LocalResponseNorm = _layer("LocalResponseNorm", F.local_response_norm,
                           (("size", _REQUIRED), ("alpha", 1e-4), ("beta", 0.75), ("k", 1.0)))
CrossMapLRN2d = LocalResponseNorm
PixelShuffle = _layer("PixelShuffle", F.pixel_shuffle, (("upscale_factor", _REQUIRED),))
PixelUnshuffle = _layer("PixelUnshuffle", F.pixel_unshuffle, (("downscale_factor", _REQUIRED),))
ChannelShuffle = _layer("ChannelShuffle", F.channel_shuffle, (("groups", _REQUIRED),))
Upsample = _layer("Upsample", F.interpolate,
                  (("size", None), ("scale_factor", None), ("mode", "nearest"),
                   ("align_corners", None), ("recompute_scale_factor", None)))
UpsamplingNearest2d = _layer("UpsamplingNearest2d", F.upsample_nearest,
                             (("size", None), ("scale_factor", None)))
UpsamplingBilinear2d = _layer("UpsamplingBilinear2d", F.upsample_bilinear,
                              (("size", None), ("scale_factor", None)))
Flatten = _layer("Flatten", Tensor.flatten, (("start_dim", 1), ("end_dim", -1)))
Unflatten = _layer("Unflatten", Tensor.unflatten,
                   (("dim", _REQUIRED), ("unflattened_size", _REQUIRED)),
                   rename=(("unflattened_size", "sizes"),))
_patch = (("kernel_size", _REQUIRED), ("dilation", 1), ("padding", 0), ("stride", 1))
Unfold = _layer("Unfold", F.unfold, _patch)
Fold = _layer("Fold", F.fold, (("output_size", _REQUIRED),) + _patch)
CosineSimilarity = _layer("CosineSimilarity", F.cosine_similarity, (("dim", 1), ("eps", 1e-8)))
PairwiseDistance = _layer("PairwiseDistance", F.pairwise_distance,
                          (("p", 2.0), ("eps", 1e-6), ("keepdim", False)))


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        Module.__init__(self)
        self.num_parameters = num_parameters
        self.weight = _weight(num_parameters, dtype=dtype)

    def forward(self, input):
        return F.prelu(input, self.weight)


class _Pad(Module):
    def __init__(self, n, mode, padding, value=0):
        Module.__init__(self)
        self.padding = _tuple(padding, 2 * n)
        self.mode, self.value = mode, value

    def forward(self, input):
        return F.pad(input, self.padding, self.mode, self.value)


def _pad_layer(name, n, mode):
    class Layer(_Pad):
        def __init__(self, padding, value=0):
            _Pad.__init__(self, n, mode, padding, value)
    Layer.__name__ = Layer.__qualname__ = name
    return Layer


ZeroPad1d, ZeroPad2d, ZeroPad3d = (_pad_layer("ZeroPad%dd" % n, n, "constant") for n in (1, 2, 3))
ConstantPad1d, ConstantPad2d, ConstantPad3d = (
    _pad_layer("ConstantPad%dd" % n, n, "constant") for n in (1, 2, 3))
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = (
    _pad_layer("ReflectionPad%dd" % n, n, "reflect") for n in (1, 2, 3))
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = (
    _pad_layer("ReplicationPad%dd" % n, n, "replicate") for n in (1, 2, 3))
CircularPad1d, CircularPad2d, CircularPad3d = (
    _pad_layer("CircularPad%dd" % n, n, "circular") for n in (1, 2, 3))


# ---- losses


class _Loss(Module):
    pass


class _WeightedLoss(_Loss):
    pass


_old = (("size_average", None), ("reduce", None), ("reduction", "mean"))


def _loss_layer(name, function, fields):
    return _layer(name, function, fields, _Loss)


_weighted = (("weight", None), ("size_average", None), ("ignore_index", -100), ("reduce", None),
             ("reduction", "mean"))
CrossEntropyLoss = _loss_layer("CrossEntropyLoss", F.cross_entropy,
                               _weighted + (("label_smoothing", 0.0),))
NLLLoss = _loss_layer("NLLLoss", F.nll_loss, _weighted)
NLLLoss2d = NLLLoss
MSELoss = _loss_layer("MSELoss", F.mse_loss, _old)
L1Loss = _loss_layer("L1Loss", F.l1_loss, _old)
SmoothL1Loss = _loss_layer("SmoothL1Loss", F.smooth_l1_loss, _old + (("beta", 1.0),))
HuberLoss = _loss_layer("HuberLoss", F.huber_loss, (("reduction", "mean"), ("delta", 1.0)))
SoftMarginLoss = _loss_layer("SoftMarginLoss", F.soft_margin_loss, _old)
PoissonNLLLoss = _loss_layer(
    "PoissonNLLLoss", F.poisson_nll_loss,
    (("log_input", True), ("full", False), ("size_average", None), ("eps", 1e-8),
     ("reduce", None), ("reduction", "mean")))
GaussianNLLLoss = _loss_layer("GaussianNLLLoss", F.gaussian_nll_loss,
                              (("full", False), ("eps", 1e-6), ("reduction", "mean")))
BCELoss = _loss_layer("BCELoss", F.binary_cross_entropy, (("weight", None),) + _old)
BCEWithLogitsLoss = _loss_layer("BCEWithLogitsLoss", F.binary_cross_entropy_with_logits,
                                (("weight", None),) + _old + (("pos_weight", None),))
KLDivLoss = _loss_layer("KLDivLoss", F.kl_div, _old + (("log_target", False),))
MarginRankingLoss = _loss_layer("MarginRankingLoss", F.margin_ranking_loss,
                                (("margin", 0.0),) + _old)
HingeEmbeddingLoss = _loss_layer("HingeEmbeddingLoss", F.hinge_embedding_loss,
                                 (("margin", 1.0),) + _old)
CosineEmbeddingLoss = _loss_layer("CosineEmbeddingLoss", F.cosine_embedding_loss,
                                  (("margin", 0.0),) + _old)
TripletMarginLoss = _loss_layer(
    "TripletMarginLoss", F.triplet_margin_loss,
    (("margin", 1.0), ("p", 2.0), ("eps", 1e-6), ("swap", False)) + _old)
MultiLabelSoftMarginLoss = _loss_layer("MultiLabelSoftMarginLoss", F.multilabel_soft_margin_loss,
                                       (("weight", None),) + _old)
MultiMarginLoss = _loss_layer("MultiMarginLoss", F.multi_margin_loss,
                              (("p", 1), ("margin", 1.0), ("weight", None)) + _old)
CTCLoss = _loss_layer("CTCLoss", F.ctc_loss, (("blank", 0), ("reduction", "mean"),
                                              ("zero_infinity", False)))
