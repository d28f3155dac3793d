"""Blocks of convolutional networks of diffusers, channels second."""

import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    """With `time`, numbers of the time's embedding are added between both convolutions."""

    def __init__(self, incoming, channels, time=None, groups=32, eps=1e-6, dropout=0.0):
        super().__init__()
        self.norm1 = nn.GroupNorm(groups, incoming, eps=eps)
        self.conv1 = nn.Conv2d(incoming, channels, 3, padding=1)
        self.time_emb_proj = None if time is None else nn.Linear(time, channels)
        self.norm2 = nn.GroupNorm(groups, channels, eps=eps)
        self.dropout = nn.Dropout(dropout)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv_shortcut = nn.Conv2d(incoming, channels, 1) if incoming != channels else None

    def forward(self, x, time=None):
        h = self.conv1(F.silu(self.norm1(x)))
        if self.time_emb_proj is not None:
            h = h + self.time_emb_proj(F.silu(time))[:, :, None, None]
        h = self.conv2(self.dropout(F.silu(self.norm2(h))))
        return (x if self.conv_shortcut is None else self.conv_shortcut(x)) + h


def attend(q, k, v, heads):
    """Attention in heads, over values of [batch, positions, channels]."""
    if heads == 1:
        return F.scaled_dot_product_attention(q, k, v)
    b, n, c = q.shape
    q, k, v = [t.reshape(b, t.shape[1], heads, c // heads).transpose(1, 2) for t in (q, k, v)]
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, c)


class Attention(nn.Module):
    """Between the places of a picture, in heads of `head` channels; None: one head."""

    def __init__(self, channels, head=None, groups=32, eps=1e-6):
        super().__init__()
        self.heads = 1 if head is None else channels // head
        self.group_norm = nn.GroupNorm(groups, channels, eps=eps)
        self.to_q = nn.Linear(channels, channels)
        self.to_k = nn.Linear(channels, channels)
        self.to_v = nn.Linear(channels, channels)
        self.to_out = nn.ModuleList([nn.Linear(channels, channels)])

    def forward(self, x, *given):
        b, c, h, w = x.shape
        y = self.group_norm(x).reshape(b, c, h * w).transpose(1, 2)
        y = attend(self.to_q(y), self.to_k(y), self.to_v(y), self.heads)
        return x + self.to_out[0](y).transpose(1, 2).reshape(b, c, h, w)


class Down(nn.Module):
    def __init__(self, channels, padding=0):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, stride=2, padding=padding)

    def forward(self, x):
        return self.conv(x if self.conv.padding != (0, 0) else F.pad(x, (0, 1, 0, 1)))


class Up(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return self.conv(F.interpolate(x, scale_factor=2.0, mode="nearest"))
