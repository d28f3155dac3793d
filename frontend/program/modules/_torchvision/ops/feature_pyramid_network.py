"""Feature pyramids (Lin et al. 2016)."""

from collections import OrderedDict
from torch import nn
from torch.nn import functional as F
from .misc import Conv2dNormActivation


class FeaturePyramidNetwork(nn.Module):
    def __init__(self, in_channels_list, out_channels, extra_blocks=None, norm_layer=None):
        super().__init__()
        of = {"norm_layer": norm_layer, "activation_layer": None}
        self.inner_blocks = nn.ModuleList(
            [Conv2dNormActivation(c, out_channels, 1, **of) for c in in_channels_list])
        self.layer_blocks = nn.ModuleList(
            [Conv2dNormActivation(out_channels, out_channels, 3, **of) for _ in in_channels_list])
        self.extra_blocks = extra_blocks

    def forward(self, x):
        names, levels = list(x.keys()), list(x.values())
        made, above = [], None
        for i in reversed(range(len(levels))):
            level = self.inner_blocks[i](levels[i])
            if above is not None:
                level = level + F.interpolate(above, size=level.shape[-2:], mode="nearest")
            above = level
            made.insert(0, self.layer_blocks[i](level))
        if self.extra_blocks is not None:
            made, names = self.extra_blocks(made, levels, names)
        return OrderedDict(zip(names, made))


class LastLevelMaxPool(nn.Module):
    def forward(self, x, y, names):
        return x + [F.max_pool2d(x[-1], 1, 2, 0)], names + ["pool"]
