"""Squares of pictures that are dropped at random."""

import torch
from torch import nn
from torch.nn import functional as F


def drop_block2d(input, p, block_size, inplace=False, eps=1e-6, training=True):
    if not training or p == 0.0:
        return input
    n, c, h, w = input.shape
    size = min(block_size, w, h)
    gamma = p * h * w / (size ** 2 * (h - size + 1) * (w - size + 1))
    centres = torch.empty((n, c, h - size + 1, w - size + 1), dtype=input.dtype,
                          device=input.device).bernoulli_(gamma)
    centres = F.pad(centres, [size // 2] * 4, value=0)
    kept = 1 - F.max_pool2d(centres, (size, size), (1, 1), size // 2)
    return input * kept * (kept.numel() / (eps + kept.sum()))


class DropBlock2d(nn.Module):
    def __init__(self, p, block_size, inplace=False, eps=1e-6):
        super().__init__()
        self.p, self.block_size, self.eps = p, block_size, eps

    def forward(self, input):
        return drop_block2d(input, self.p, self.block_size, False, self.eps, self.training)
