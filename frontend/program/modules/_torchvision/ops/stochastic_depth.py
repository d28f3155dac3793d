"""Layers that are left out at random while a model trains."""

import torch
from torch import nn


def stochastic_depth(input, p, mode, training=True):
    if not training or p == 0.0:
        return input
    rows = input.shape[0] if mode == "row" else 1
    kept = torch.empty([rows] + [1] * (input.dim() - 1), dtype=input.dtype, device=input.device)
    kept = kept.bernoulli_(1.0 - p)
    if p < 1.0:
        kept = kept / (1.0 - p)
    return input * kept


class StochasticDepth(nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)
