"""Swin transformers (Liu et al. 2021) and their second version (Liu et al. 2022)."""

import math
from functools import partial
import torch
from torch import nn
from torch.nn import functional as F
from torchvision.ops.misc import MLP, Permute
from torchvision.ops.stochastic_depth import StochasticDepth
from ._api import family, first


def _halved(x):
    """Each 2 x 2 pixels become channels of one."""
    x = F.pad(x, (0, 0, 0, x.shape[-2] % 2, 0, x.shape[-3] % 2))
    rows = x[..., 0::2, :, :], x[..., 1::2, :, :]
    return torch.cat([r[..., i::2, :] for i in (0, 1) for r in rows], -1)


class PatchMerging(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction, self.norm = nn.Linear(4 * dim, 2 * dim, bias=False), norm_layer(4 * dim)

    def forward(self, x):
        return self.reduction(self.norm(_halved(x)))


class PatchMergingV2(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction, self.norm = nn.Linear(4 * dim, 2 * dim, bias=False), norm_layer(2 * dim)

    def forward(self, x):
        return self.norm(self.reduction(_halved(x)))


def _mask(size, window, shift):
    """Pixels that were rolled beside others do not see these: -100 between different regions."""
    regions = []
    for n, w, s in zip(size, window, shift):
        regions.append([(0 if i < n - w else 1 if i < n - s else 2) if s else 0
                        for i in range(n)])
    rows, columns = [torch.tensor(r) for r in regions]
    of = rows[:, None] * 3 + columns[None]
    (h, w), (a, b) = size, window
    of = of.view(h // a, a, w // b, b).permute(0, 2, 1, 3).reshape(-1, a * b)
    return torch.where(of[:, None] == of[:, :, None], 0.0, -100.0)


class ShiftedWindowAttention(nn.Module):
    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True,
                 attention_dropout=0.0, dropout=0.0):
        super().__init__()
        self.window_size, self.shift_size = list(window_size), list(shift_size)
        self.num_heads = num_heads
        self.attention_dropout, self.dropout = attention_dropout, dropout
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim, bias=proj_bias)
        self._define_bias(dim)
        a, b = self.window_size
        places = [(i, j) for i in range(a) for j in range(b)]
        self.register_buffer("relative_position_index", torch.tensor(
            [(i - k + a - 1) * (2 * b - 1) + j - l + b - 1 for i, j in places for k, l in places]))

    def _define_bias(self, dim):
        a, b = self.window_size
        self.relative_position_bias_table = nn.Parameter(
            torch.zeros((2 * a - 1) * (2 * b - 1), self.num_heads))

    def _per_head(self, table):
        n = self.window_size[0] * self.window_size[1]
        return table[self.relative_position_index].view(n, n, -1).permute(2, 0, 1).unsqueeze(0)

    def get_relative_position_bias(self):
        return self._per_head(self.relative_position_bias_table)

    def _project(self, x):
        return self.qkv(x)

    def _scores(self, q, k):
        return (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)

    def _attend(self, x, mask):
        n, length, c = x.shape
        qkv = self._project(x).reshape(n, length, 3, self.num_heads, c // self.num_heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        scores = self._scores(q, k) + self.get_relative_position_bias()
        if mask is not None:
            parts = mask.shape[0]
            scores = scores.view(-1, parts, self.num_heads, length, length)
            scores = (scores + mask[None, :, None]).view(-1, self.num_heads, length, length)
        weights = F.dropout(F.softmax(scores, -1), self.attention_dropout, self.training)
        y = self.proj((weights @ v).transpose(1, 2).reshape(n, length, c))
        return F.dropout(y, self.dropout, self.training)

    def forward(self, x):
        n, h, w, c = x.shape
        a, b = self.window_size
        x = F.pad(x, (0, 0, 0, -w % b, 0, -h % a))
        size = high, wide = x.shape[1], x.shape[2]
        shift = [0 if win >= s else by for win, s, by in
                 zip(self.window_size, size, self.shift_size)]
        if sum(shift) > 0:
            x = torch.roll(x, shifts=(-shift[0], -shift[1]), dims=(1, 2))
        x = x.view(n, high // a, a, wide // b, b, c).permute(0, 1, 3, 2, 4, 5)
        x = x.reshape(-1, a * b, c)
        x = self._attend(x, _mask(size, self.window_size, shift) if sum(shift) > 0 else None)
        x = x.view(n, high // a, wide // b, a, b, c).permute(0, 1, 3, 2, 4, 5)
        x = x.reshape(n, high, wide, c)
        if sum(shift) > 0:
            x = torch.roll(x, shifts=(shift[0], shift[1]), dims=(1, 2))
        return x[:, :h, :w]


class ShiftedWindowAttentionV2(ShiftedWindowAttention):
    """Cosines in the place of products, and a small network that makes the biases."""

    def _define_bias(self, dim):
        self.logit_scale = nn.Parameter(torch.log(10 * torch.ones(self.num_heads, 1, 1)))
        self.cpb_mlp = nn.Sequential(nn.Linear(2, 512), nn.ReLU(inplace=True),
                                     nn.Linear(512, self.num_heads, bias=False))
        steps = []
        for size in self.window_size:
            far = [8.0 * i / (size - 1) for i in range(1 - size, size)]
            steps.append([math.copysign(math.log2(abs(v) + 1) / 3.0, v) for v in far])
        table = [[[u, v] for v in steps[1]] for u in steps[0]]
        self.register_buffer("relative_coords_table", torch.tensor([table]))

    def get_relative_position_bias(self):
        table = self.cpb_mlp(self.relative_coords_table).view(-1, self.num_heads)
        return 16 * torch.sigmoid(self._per_head(table))

    def _project(self, x):
        bias = self.qkv.bias
        if bias is not None:  # keys have none
            bias = bias.clone()
            part = bias.numel() // 3
            bias[part:2 * part].zero_()
        return F.linear(x, self.qkv.weight, bias)

    def _scores(self, q, k):
        cosines = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        return cosines * torch.clamp(self.logit_scale, max=math.log(100.0)).exp()


class SwinTransformerBlock(nn.Module):
    def __init__(self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0,
                 attention_dropout=0.0, stochastic_depth_prob=0.0, norm_layer=nn.LayerNorm,
                 attn_layer=ShiftedWindowAttention):
        super().__init__()
        self.norm1, self.norm2 = norm_layer(dim), norm_layer(dim)
        self.attn = attn_layer(dim, window_size, shift_size, num_heads,
                               attention_dropout=attention_dropout, dropout=dropout)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.mlp = MLP(dim, [int(dim * mlp_ratio), dim], activation_layer=nn.GELU,
                       dropout=dropout)

    def forward(self, x):
        x = x + self.stochastic_depth(self.attn(self.norm1(x)))
        return x + self.stochastic_depth(self.mlp(self.norm2(x)))


class SwinTransformerBlockV2(SwinTransformerBlock):
    """Norms stand behind."""

    def __init__(self, *args, **options):
        options.setdefault("attn_layer", ShiftedWindowAttentionV2)
        SwinTransformerBlock.__init__(self, *args, **options)

    def forward(self, x):
        x = x + self.stochastic_depth(self.norm1(self.attn(x)))
        return x + self.stochastic_depth(self.norm2(self.mlp(x)))


class SwinTransformer(nn.Module):
    def __init__(self, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio=4.0,
                 dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.1, num_classes=1000,
                 norm_layer=None, block=None, downsample_layer=PatchMerging):
        super().__init__()
        self.num_classes = num_classes
        norm = norm_layer or partial(nn.LayerNorm, eps=1e-5)
        block, size = block or SwinTransformerBlock, tuple(patch_size)
        layers = [nn.Sequential(nn.Conv2d(3, embed_dim, size, size), Permute([0, 2, 3, 1]),
                                norm(embed_dim))]
        last, done = max(sum(depths) - 1, 1), 0
        for i, (depth, heads) in enumerate(zip(depths, num_heads)):
            dim, stage = embed_dim * 2 ** i, []
            for j in range(depth):
                shift = [0 if j % 2 == 0 else w // 2 for w in window_size]
                stage.append(block(
                    dim, heads, window_size=window_size, shift_size=shift, mlp_ratio=mlp_ratio,
                    dropout=dropout, attention_dropout=attention_dropout, norm_layer=norm,
                    stochastic_depth_prob=stochastic_depth_prob * done / last))
                done += 1
            layers.append(nn.Sequential(*stage))
            if i + 1 < len(depths):
                layers.append(downsample_layer(dim, norm))
        width = embed_dim * 2 ** (len(depths) - 1)
        self.features, self.norm = nn.Sequential(*layers), norm(width)
        self.permute, self.avgpool = Permute([0, 3, 1, 2]), nn.AdaptiveAvgPool2d(1)
        self.flatten, self.head = nn.Flatten(1), nn.Linear(width, num_classes)

    def forward(self, x):
        x = self.permute(self.norm(self.features(x)))
        return self.head(self.flatten(self.avgpool(x)))


def _make(second_version, width, third, heads, drop, **options):
    window = [8, 8] if second_version else [7, 7]
    if second_version:
        options = {"block": SwinTransformerBlockV2, "downsample_layer": PatchMergingV2, **options}
    return SwinTransformer(
        [4, 4], width, [2, 2, third, 2], [heads, 2 * heads, 4 * heads, 8 * heads], window,
        stochastic_depth_prob=options.pop("stochastic_depth_prob", drop), **options)


globals().update(family(_make, [
    ("swin_t", "Swin_T", first(), False, 96, 6, 3, 0.2),
    ("swin_s", "Swin_S", first(), False, 96, 18, 3, 0.3),
    ("swin_b", "Swin_B", first(), False, 128, 18, 4, 0.5),
    ("swin_v2_t", "Swin_V2_T", first(256), True, 96, 6, 3, 0.2),
    ("swin_v2_s", "Swin_V2_S", first(256), True, 96, 18, 3, 0.3),
    ("swin_v2_b", "Swin_V2_B", first(256), True, 128, 18, 4, 0.5)]))
