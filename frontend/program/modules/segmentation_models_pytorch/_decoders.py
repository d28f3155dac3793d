"""Decoders: from what an encoder gives to a mask."""

import torch
from torch import nn
from torch.nn import functional as F
from torchvision.models.segmentation import ASPPConv, ASPPPooling
from segmentation_models_pytorch.base import Conv2dReLU, attention, gate


def _twice(x, mode="nearest"):
    if mode == "bilinear":
        return F.interpolate(x, scale_factor=2, mode=mode, align_corners=True)
    return F.interpolate(x, scale_factor=2, mode=mode)


class UnetBlock(nn.Module):
    def __init__(self, before, skip, after, norm, kind=None):
        super().__init__()
        self.conv1 = Conv2dReLU(before + skip, after, 3, 1, use_norm=norm)
        self.attention1 = attention(kind, before + skip)
        self.conv2 = Conv2dReLU(after, after, 3, 1, use_norm=norm)
        self.attention2 = attention(kind, after)

    def forward(self, x, skip=None):
        x = _twice(x)
        if skip is not None:
            x = self.attention1(torch.cat([x, skip], 1))
        return self.attention2(self.conv2(self.conv1(x)))


def center(wide, norm):
    return nn.Sequential(Conv2dReLU(wide, wide, 3, 1, use_norm=norm),
                         Conv2dReLU(wide, wide, 3, 1, use_norm=norm))


def _rows(encoder_channels, decoder_channels):
    """(before, skip, after) of each step."""
    found = list(encoder_channels)[1:][::-1]
    return list(zip([found[0]] + list(decoder_channels[:-1]), found[1:] + [0], decoder_channels))


def _in_turn(blocks, x, skips):
    for i, block in enumerate(blocks):
        x = block(x, skips[i] if i < len(skips) else None)
    return x


class UnetDecoder(nn.Module):
    def __init__(self, encoder_channels, decoder_channels, norm, kind, centered):
        super().__init__()
        self.center = center(encoder_channels[-1], norm) if centered else nn.Identity()
        self.blocks = nn.ModuleList([UnetBlock(*row, norm, kind)
                                     for row in _rows(encoder_channels, decoder_channels)])

    def forward(self, features):
        features = features[1:][::-1]
        return _in_turn(self.blocks, self.center(features[0]), features[1:])


class UnetPlusPlusDecoder(nn.Module):
    """Between an encoder's step and the decoder's are steps of their own, densely joined."""

    def __init__(self, encoder_channels, decoder_channels, norm, kind, centered):
        super().__init__()
        rows = _rows(encoder_channels, decoder_channels)
        skips, self.last = [row[1] for row in rows], len(rows) - 1
        self.center = center(encoder_channels[-1], norm) if centered else nn.Identity()
        blocks = {}
        for i in range(self.last):
            for j in range(i + 1):
                sizes = (rows[i][0], skips[i] * (i + 1), rows[i][2]) if j == 0 else \
                    (skips[i - 1], skips[i] * (i + 1 - j), skips[i])
                blocks[f"x_{j}_{i}"] = UnetBlock(*sizes, norm, kind)
        blocks[f"x_0_{self.last}"] = UnetBlock(rows[-1][0], 0, rows[-1][2], norm, kind)
        self.blocks = nn.ModuleDict(blocks)

    def forward(self, features):
        features, made = features[1:][::-1], {}
        for j in range(self.last):
            made[j, j] = self.blocks[f"x_{j}_{j}"](features[j], features[j + 1])
        for distance in range(1, self.last):
            for j in range(self.last - distance):
                i = j + distance
                skip = [made[k, i] for k in range(j + 1, i + 1)] + [features[i + 1]]
                made[j, i] = self.blocks[f"x_{j}_{i}"](made[j, i - 1], torch.cat(skip, 1))
        return self.blocks[f"x_0_{self.last}"](made[0, self.last - 1])


class PABBlock(nn.Module):
    """Every place of the picture looks at every other."""

    def __init__(self, n, inner):
        super().__init__()
        self.top_conv, self.center_conv = nn.Conv2d(n, inner, 1), nn.Conv2d(n, inner, 1)
        self.bottom_conv = nn.Conv2d(n, n, 3, padding=1)
        self.out_conv = nn.Conv2d(n, n, 3, padding=1)

    def forward(self, x):
        b, n, h, w = x.shape
        rows = torch.matmul(self.center_conv(x).flatten(2).transpose(1, 2),
                            self.top_conv(x).flatten(2))
        weights = F.softmax(rows.view(b, -1), dim=1).view(b, h * w, h * w)
        seen = torch.matmul(weights, self.bottom_conv(x).flatten(2).transpose(1, 2))
        return self.out_conv(x + seen.reshape(b, n, h, w))


class MFABBlock(nn.Module):
    def __init__(self, before, skip, after, norm, reduction=16):
        super().__init__()
        self.hl_conv = nn.Sequential(Conv2dReLU(before, before, 3, 1, use_norm=norm),
                                     Conv2dReLU(before, skip, 1, use_norm=norm))
        self.SE_ll, self.SE_hl = gate(skip, reduction), gate(skip, reduction)
        self.conv1 = Conv2dReLU(2 * skip, after, 3, 1, use_norm=norm)
        self.conv2 = Conv2dReLU(after, after, 3, 1, use_norm=norm)

    def forward(self, x, skip=None):
        x = _twice(self.hl_conv(x))
        weights = self.SE_hl(x)
        if skip is not None:
            x = torch.cat([x * (weights + self.SE_ll(skip)), skip], 1)
        return self.conv2(self.conv1(x))


class MAnetDecoder(nn.Module):
    def __init__(self, encoder_channels, decoder_channels, norm, pab_channels):
        super().__init__()
        self.center = PABBlock(encoder_channels[-1], pab_channels)
        self.blocks = nn.ModuleList([
            MFABBlock(*row, norm) if row[1] else UnetBlock(*row, norm)
            for row in _rows(encoder_channels, decoder_channels)])

    forward = UnetDecoder.forward


class LinknetBlock(nn.Module):
    def __init__(self, before, after, norm):
        super().__init__()
        inner = before // 4
        turned = nn.Sequential(nn.ConvTranspose2d(inner, inner, 4, 2, 1),
                               Conv2dReLU(inner, inner, 1, use_norm=norm)[1],
                               nn.ReLU(inplace=True))
        self.block = nn.Sequential(Conv2dReLU(before, inner, 1, use_norm=norm), turned,
                                   Conv2dReLU(inner, after, 1, use_norm=norm))

    def forward(self, x, skip=None):
        x = self.block(x)
        return x if skip is None else x + skip


class LinknetDecoder(nn.Module):
    def __init__(self, encoder_channels, last, norm):
        super().__init__()
        widths = list(encoder_channels)[1:][::-1] + [last]
        self.center = nn.Identity()
        self.blocks = nn.ModuleList([LinknetBlock(a, b, norm)
                                     for a, b in zip(widths[:-1], widths[1:])])

    forward = UnetDecoder.forward


class _NormedBlock(nn.Module):
    def __init__(self, before, after, upsample):
        super().__init__()
        self.upsample = upsample
        self.block = nn.Sequential(nn.Conv2d(before, after, 3, padding=1, bias=False),
                                   nn.GroupNorm(32, after), nn.ReLU(inplace=True))

    def forward(self, x):
        x = self.block(x)
        return _twice(x, "bilinear") if self.upsample else x


class FPNDecoder(nn.Module):
    def __init__(self, encoder_channels, depth, wide, narrow, dropout, policy):
        super().__init__()
        found = list(encoder_channels)[::-1][:depth + 1]
        self.out_channels = narrow if policy == "add" else 4 * narrow
        self.p5 = nn.Conv2d(found[0], wide, 1)
        self.skips = nn.ModuleList([nn.Conv2d(n, wide, 1) for n in found[1:4]])
        self.seg_blocks = nn.ModuleList([
            nn.Sequential(*[_NormedBlock(wide if i == 0 else narrow, narrow, times > 0)
                            for i in range(max(1, times))]) for times in (3, 2, 1, 0)])
        self.policy, self.dropout = policy, nn.Dropout2d(dropout)

    def forward(self, features):
        levels = [self.p5(features[-1])]
        for conv, skip in zip(self.skips, features[-4:-1][::-1]):
            levels.append(_twice(levels[-1]) + conv(skip))
        made = [block(x) for block, x in zip(self.seg_blocks, levels)]
        x = torch.cat(made, 1) if self.policy == "cat" else sum(made[1:], made[0])
        return self.dropout(x)


class PSPBlock(nn.Module):
    def __init__(self, before, after, size, norm):
        super().__init__()
        self.pool = nn.Sequential(nn.AdaptiveAvgPool2d((size, size)),
                                  Conv2dReLU(before, after, 1,
                                             use_norm=False if size == 1 else norm))

    def forward(self, x):
        return F.interpolate(self.pool(x), size=x.shape[2:], mode="bilinear", align_corners=True)


class PSPDecoder(nn.Module):
    def __init__(self, encoder_channels, norm, out_channels, dropout):
        super().__init__()
        wide = encoder_channels[-1]
        self.blocks = nn.ModuleList([PSPBlock(wide, wide // 4, size, norm)
                                     for size in (1, 2, 3, 6)])
        self.conv = Conv2dReLU(2 * wide, out_channels, 1, use_norm=norm)
        self.dropout = nn.Dropout2d(dropout)

    def forward(self, features):
        x = features[-1]
        return self.dropout(self.conv(torch.cat([block(x) for block in self.blocks] + [x], 1)))


def _separable(before, after, dilation=1):
    return nn.Sequential(
        nn.Conv2d(before, before, 3, padding=dilation, dilation=dilation, groups=before,
                  bias=False), nn.Conv2d(before, after, 1, bias=False))


def _normed(conv, after):
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU())


class ASPP(nn.Module):
    def __init__(self, before, after, rates, separable, dropout):
        super().__init__()
        made = [_normed(nn.Conv2d(before, after, 1, bias=False), after)]
        made += [_normed(_separable(before, after, rate), after) if separable
                 else ASPPConv(before, after, rate) for rate in rates]
        self.convs = nn.ModuleList(made + [ASPPPooling(before, after)])
        self.project = nn.Sequential(nn.Conv2d(5 * after, after, 1, bias=False),
                                     nn.BatchNorm2d(after), nn.ReLU(), nn.Dropout(dropout))

    def forward(self, x):
        return self.project(torch.cat([conv(x) for conv in self.convs], 1))


class DeepLabV3Decoder(nn.Module):
    def __init__(self, encoder_channels, after, rates, separable, dropout):
        super().__init__()
        self.aspp = ASPP(encoder_channels[-1], after, rates, separable, dropout)
        self.last = _normed(nn.Conv2d(after, after, 3, padding=1, bias=False), after)

    def forward(self, features):
        return self.last(self.aspp(features[-1]))


class DeepLabV3PlusDecoder(nn.Module):
    def __init__(self, encoder_channels, after, rates, separable, dropout, times):
        super().__init__()
        self.aspp = nn.Sequential(ASPP(encoder_channels[-1], after, rates, separable, dropout),
                                  _normed(_separable(after, after), after))
        self.up = nn.Upsample(scale_factor=times, mode="bilinear", align_corners=True)
        self.block1 = _normed(nn.Conv2d(encoder_channels[2], 48, 1, bias=False), 48)
        self.block2 = _normed(_separable(48 + after, after), after)

    def forward(self, features):
        x = self.up(self.aspp(features[-1]))
        return self.block2(torch.cat([x, self.block1(features[2])], 1))


class ConvBnRelu(nn.Module):
    def __init__(self, before, after, size, relu=True):
        super().__init__()
        self.conv = nn.Conv2d(before, after, size, padding=size // 2)
        self.bn, self.relu = nn.BatchNorm2d(after), relu

    def forward(self, x):
        x = self.bn(self.conv(x))
        return F.relu(x) if self.relu else x


def _sized(x, size):
    return F.interpolate(x, size=size, mode="bilinear", align_corners=True)


class FPABlock(nn.Module):
    """Windows of 7, 5 and 3 on smaller and smaller pictures weigh each place."""

    def __init__(self, before, after):
        super().__init__()
        self.branch1 = nn.Sequential(nn.AdaptiveAvgPool2d(1), ConvBnRelu(before, after, 1))
        self.mid = ConvBnRelu(before, after, 1)
        self.down1 = nn.Sequential(nn.MaxPool2d(2, 2), ConvBnRelu(before, 1, 7))
        self.down2 = nn.Sequential(nn.MaxPool2d(2, 2), ConvBnRelu(1, 1, 5))
        self.down3 = nn.Sequential(nn.MaxPool2d(2, 2), ConvBnRelu(1, 1, 3), ConvBnRelu(1, 1, 3))
        self.conv2, self.conv1 = ConvBnRelu(1, 1, 5), ConvBnRelu(1, 1, 7)

    def forward(self, x):
        h, w = x.shape[2:]
        x1 = self.down1(x)
        x2 = self.down2(x1)
        y = _sized(self.down3(x2), (h // 4, w // 4)) + self.conv2(x2)
        y = _sized(y, (h // 2, w // 2)) + self.conv1(x1)
        return _sized(y, (h, w)) * self.mid(x) + _sized(self.branch1(x), (h, w))


class GAUBlock(nn.Module):
    def __init__(self, before, after):
        super().__init__()
        self.conv1 = nn.Sequential(nn.AdaptiveAvgPool2d(1), ConvBnRelu(after, after, 1, False),
                                   nn.Sigmoid())
        self.conv2 = ConvBnRelu(before, after, 3)

    def forward(self, x, y):
        return _sized(y, x.shape[2:]) + self.conv2(x) * self.conv1(y)


class PANDecoder(nn.Module):
    def __init__(self, encoder_channels, after):
        super().__init__()
        found = list(encoder_channels)[2:]
        self.fpa = FPABlock(found[-1], after)
        self.gaus = nn.ModuleList([GAUBlock(n, after) for n in found[:-1]])

    def forward(self, features):
        features = features[2:]
        x = self.fpa(features[-1])
        for gau, skip in list(zip(self.gaus, features))[::-1]:
            x = gau(skip, x)
        return x
