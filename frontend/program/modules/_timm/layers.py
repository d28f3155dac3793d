"""Layers that many models share."""

import _tilewise
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.init import trunc_normal_ as _trunc


def _ntuple(n):
    def make(x):
        return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n
    return make


to_1tuple, to_2tuple, to_3tuple, to_4tuple = [_ntuple(n) for n in (1, 2, 3, 4)]
to_ntuple = _ntuple


def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    least = min_value or divisor
    new = max(least, int(v + divisor / 2) // divisor * divisor)
    return new + divisor if new < round_limit * v else new


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    return tensor


trunc_normal_tf_ = variance_scaling_ = lecun_normal_ = trunc_normal_


def _assert(condition, message):
    pass


def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    if drop_prob == 0.0 or not training:
        return x
    keep = 1 - drop_prob
    mask = x.new_empty((x.shape[0],) + (1,) * (x.dim() - 1)).bernoulli_(keep)
    return x * (mask / keep if scale_by_keep else mask)


class DropPath(nn.Module):
    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob, self.scale_by_keep = drop_prob, scale_by_keep

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training, self.scale_by_keep)


class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.GELU,
                 norm_layer=None, bias=True, drop=0.0, use_conv=False):
        super().__init__()
        out, hidden = out_features or in_features, hidden_features or in_features
        bias, drop = to_2tuple(bias), to_2tuple(drop)
        self.fc1 = nn.Conv2d(in_features, hidden, 1, bias=bias[0]) if use_conv else \
            nn.Linear(in_features, hidden, bias=bias[0])
        self.act = act_layer()
        self.drop1 = nn.Dropout(drop[0])
        self.norm = norm_layer(hidden) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Conv2d(hidden, out, 1, bias=bias[1]) if use_conv else \
            nn.Linear(hidden, out, bias=bias[1])
        self.drop2 = nn.Dropout(drop[1])

    def forward(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))


class ConvMlp(Mlp):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.ReLU,
                 norm_layer=None, bias=True, drop=0.0):
        Mlp.__init__(self, in_features, hidden_features, out_features, act_layer, norm_layer, bias,
                     drop, True)


class GluMlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None,
                 act_layer=nn.Sigmoid, norm_layer=None, bias=True, drop=0.0, use_conv=False,
                 gate_last=True):
        super().__init__()
        hidden = hidden_features or in_features
        bias = to_2tuple(bias)
        self.fc1 = nn.Linear(in_features, hidden, bias=bias[0])
        self.act, self.gate_last = act_layer(), gate_last
        self.norm = norm_layer(hidden // 2) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden // 2, out_features or in_features, bias=bias[1])

    def forward(self, x):
        a, b = self.fc1(x).chunk(2, -1)
        return self.fc2(self.norm(a * self.act(b) if self.gate_last else self.act(a) * b))


class SwiGLU(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.SiLU,
                 norm_layer=None, bias=True, drop=0.0):
        super().__init__()
        hidden = hidden_features or in_features
        self.fc1_g = nn.Linear(in_features, hidden, bias=bias)
        self.fc1_x = nn.Linear(in_features, hidden, bias=bias)
        self.act = act_layer()
        self.norm = norm_layer(hidden) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden, out_features or in_features, bias=bias)

    def forward(self, x):
        return self.fc2(self.norm(self.act(self.fc1_g(x)) * self.fc1_x(x)))


class PatchEmbed(nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, embed_dim=768, norm_layer=None,
                 flatten=True, output_fmt=None, bias=True, strict_img_size=True,
                 dynamic_img_pad=False):
        super().__init__()
        self.patch_size = to_2tuple(patch_size)
        self.img_size = None if img_size is None else to_2tuple(img_size)
        if self.img_size is not None:
            self.grid_size = tuple([s // p for s, p in zip(self.img_size, self.patch_size)])
            self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.patch_shape = getattr(self, "grid_size", None)
        self.flatten = flatten
        self.proj = nn.Conv2d(in_chans, embed_dim, self.patch_size, self.patch_size, bias=bias)
        self.norm = norm_layer(embed_dim) if norm_layer else nn.Identity()

    def forward(self, x):
        x = self.proj(x)
        if self.flatten:
            x = x.flatten(2).transpose(1, 2)
        return self.norm(x)


class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False):
        super().__init__()
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x):
        return x * self.gamma


class LayerNorm2d(nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)

    def forward(self, x):
        return nn.LayerNorm.forward(self, x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class LayerNorm(nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)


class SelectAdaptivePool2d(nn.Module):
    def __init__(self, output_size=1, pool_type="fast", flatten=False, input_fmt="NCHW"):
        super().__init__()
        self.pool_type = pool_type
        self.flatten = nn.Flatten(1) if flatten else nn.Identity()
        self.pool = nn.AdaptiveMaxPool2d(output_size) if pool_type == "max" else \
            nn.AdaptiveAvgPool2d(output_size)

    def is_identity(self):
        return not self.pool_type

    def feat_mult(self):
        return 1

    def forward(self, x):
        return self.flatten(self.pool(x))


class SqueezeExcite(nn.Module):
    def __init__(self, channels, rd_ratio=1.0 / 16, rd_channels=None, rd_divisor=8,
                 add_maxpool=False, bias=True, act_layer=nn.ReLU, norm_layer=None,
                 gate_layer=nn.Sigmoid):
        super().__init__()
        inner = rd_channels or make_divisible(channels * rd_ratio, rd_divisor, round_limit=0.0)
        self.fc1 = nn.Conv2d(channels, inner, 1, bias=bias)
        self.act = act_layer()
        self.fc2 = nn.Conv2d(inner, channels, 1, bias=bias)
        self.gate = gate_layer() if callable(gate_layer) else nn.Sigmoid()

    def forward(self, x):
        return x * self.gate(self.fc2(self.act(self.fc1(x.mean((2, 3), keepdim=True)))))


SEModule = SqueezeExcite
Swish = nn.SiLU
_ACTS = {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU, "swish": nn.SiLU, "elu": nn.ELU,
         "hard_swish": nn.Hardswish, "hard_sigmoid": nn.Hardsigmoid, "sigmoid": nn.Sigmoid,
         "tanh": nn.Tanh, "relu6": nn.ReLU6, "leaky_relu": nn.LeakyReLU, "mish": nn.Mish}


def get_act_layer(name="relu"):
    return _ACTS.get(name, name) if isinstance(name, str) else name


def create_act_layer(name, inplace=None, **kwargs):
    kind = get_act_layer(name)
    return None if kind is None else kind(**kwargs)


def get_norm_layer(name):
    return {"batchnorm": nn.BatchNorm2d, "batchnorm2d": nn.BatchNorm2d, "layernorm": LayerNorm,
            "layernorm2d": LayerNorm2d}.get(name, name) if isinstance(name, str) else name


def create_conv2d(in_channels, out_channels, kernel_size, stride=1, padding="", dilation=1,
                  groups=1, bias=False, depthwise=False, **kwargs):
    if depthwise:
        groups = in_channels
    if not isinstance(padding, (int, tuple)):
        padding = (stride - 1 + dilation * (kernel_size - 1)) // 2
    return nn.Conv2d(in_channels, out_channels, kernel_size, stride, padding, dilation, groups,
                     bias)


def create_classifier(num_features, num_classes, pool_type="avg", use_conv=False, **kwargs):
    head = nn.Linear(num_features, num_classes) if num_classes > 0 else nn.Identity()
    return SelectAdaptivePool2d(1, pool_type, flatten=True), head


class ClassifierHead(nn.Module):
    def __init__(self, in_features, num_classes, pool_type="avg", drop_rate=0.0, **kwargs):
        super().__init__()
        self.global_pool, self.fc = create_classifier(in_features, num_classes, pool_type)

    def forward(self, x):
        return self.fc(self.global_pool(x))


class ConvNormAct(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size=1, stride=1, padding="", dilation=1,
                 groups=1, bias=False, apply_act=True, norm_layer=nn.BatchNorm2d,
                 act_layer=nn.ReLU, **kwargs):
        super().__init__()
        self.conv = create_conv2d(in_channels, out_channels, kernel_size, stride, padding,
                                  dilation, groups, bias)
        self.bn = norm_layer(out_channels)
        self.act = act_layer() if apply_act and act_layer is not None else nn.Identity()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


ConvBnAct = ConvNormActAa = ConvNormAct
Linear = nn.Linear
GroupNorm1 = lambda channels, **options: nn.GroupNorm(1, channels)


def use_fused_attn(experimental=False):
    return True


def is_scriptable():
    return False


is_exportable = is_no_jit = set_scriptable = set_exportable = is_scriptable


def resample_abs_pos_embed(posemb, *args, **kwargs):
    return posemb


class helpers:
    to_1tuple, to_2tuple = staticmethod(to_1tuple), staticmethod(to_2tuple)
    to_3tuple, to_4tuple = staticmethod(to_3tuple), staticmethod(to_4tuple)
    make_divisible = staticmethod(make_divisible)
