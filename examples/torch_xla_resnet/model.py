"""A residual network for images of 32 by 32."""

import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outer)
        self.conv2 = nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outer)
        self.skip = nn.Identity()
        if stride != 1 or inner != outer:
            self.skip = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False),
                                      nn.BatchNorm2d(outer))

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        return F.relu(y + self.skip(x))


class ResNet(nn.Module):
    def __init__(self, widths=(60, 120, 240), depth=3, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 3, 1, 1, bias=False)
        blocks, inner = [], widths[0]
        for stage, width in enumerate(widths):
            for i in range(depth):
                stride = 2 if stage > 0 and i == 0 else 1
                blocks.append(Block(inner, width, stride))
                inner = width
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(inner, classes)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.head(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))
