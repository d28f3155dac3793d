"""T2I-Adapter (Mou et al. 2023): features of a picture that a UNet adds to its own."""

import torch.nn.functional as F
from torch import nn

from diffusers._config import Configured


class _Residual(nn.Module):
    def __init__(self, channels, last):
        super().__init__()
        self.block1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.block2 = nn.Conv2d(channels, channels, last, padding=last // 2)

    def forward(self, x):
        return x + self.block2(F.relu(self.block1(x)))


class _Level(nn.Module):
    """Residuals of one width; light ones have a quarter of it between two convolutions."""

    def __init__(self, incoming, channels, layers, down=False, light=False):
        super().__init__()
        inner = channels // 4 if light else channels
        self.downsample = nn.AvgPool2d(2, 2, ceil_mode=True) if down else nn.Identity()
        self.in_conv = nn.Conv2d(incoming, inner, 1) if light or incoming != inner else \
            nn.Identity()
        self.resnets = nn.Sequential(*[_Residual(inner, 3 if light else 1) for _ in range(layers)])
        self.out_conv = nn.Conv2d(inner, channels, 1) if light else nn.Identity()

    def forward(self, x):
        return self.out_conv(self.resnets(self.in_conv(self.downsample(x))))


class _Adapter(nn.Module):
    def __init__(self, channels, factor, levels, conv_in=None):
        super().__init__()
        self.unshuffle = nn.PixelUnshuffle(factor)
        self.conv_in = conv_in or nn.Identity()
        self.body = nn.ModuleList(levels)

    def forward(self, x):
        x, features = self.conv_in(self.unshuffle(x)), []
        for level in self.body:
            x = level(x)
            features.append(x)
        return features


class T2IAdapter(Configured, nn.Module):
    def __init__(self, in_channels=3, channels=(320, 640, 1280, 1280), num_res_blocks=2,
                 downscale_factor=8, adapter_type="full_adapter"):
        super().__init__()
        self.keep_config(locals())
        incoming, n = in_channels * downscale_factor ** 2, num_res_blocks
        conv = nn.Conv2d(incoming, channels[0], 3, padding=1)
        pairs = list(zip(channels, channels[1:]))
        if adapter_type == "full_adapter":
            levels = [_Level(channels[0], channels[0], n)]
            levels += [_Level(a, b, n, True) for a, b in pairs]
        elif adapter_type == "full_adapter_xl":
            levels = [_Level(c if i in (0, 3) else channels[i - 1], c, n, i == 2)
                      for i, c in enumerate(channels)]
        elif adapter_type == "light_adapter":
            conv = None
            levels = [_Level(incoming, channels[0], n, False, True)]
            levels += [_Level(a, b, n, True, True) for a, b in pairs]
            levels.append(_Level(channels[-1], channels[-1], n, True, True))
        else:
            raise ValueError("T2IAdapter has no type " + str(adapter_type))
        self.adapter = _Adapter(channels, downscale_factor, levels, conv)
        self.total_downscale_factor = downscale_factor * (
            2 if adapter_type == "full_adapter_xl" else 2 ** (len(levels) - 1))

    def forward(self, x):
        return self.adapter(x)
