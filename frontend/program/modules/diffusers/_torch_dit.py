"""What diffusion transformers of diffusers share: norms that a time shifts, and attention of a
picture and its text. The names are those that adapters ask for."""

import torch
import torch.nn.functional as F
from torch import nn

from diffusers._torch_unet import TimestepEmbedding, sinusoids


def plain_norm(width):
    return nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)


def shifted(x, shift, scale):
    return x * (1 + scale) + shift


class AdaNorm(nn.Module):
    """A norm, with `parts` vectors that are made of the time for what shifts and scales."""

    def __init__(self, width, parts):
        super().__init__()
        self.parts = parts
        self.linear = nn.Linear(width, parts * width)
        self.norm = plain_norm(width)

    def forward(self, x, time):
        made = self.linear(F.silu(time)).chunk(self.parts, dim=1)
        return self.norm(x), [part.unsqueeze(1) for part in made]


class Projection(nn.Module):
    def __init__(self, incoming, width, act=F.silu):
        super().__init__()
        self.linear_1 = nn.Linear(incoming, width)
        self.linear_2 = nn.Linear(width, width)
        self.act = act

    def forward(self, x):
        return self.linear_2(self.act(self.linear_1(x)))


class TimeText(nn.Module):
    """Of a time, of the pooled text and, in a distilled model, of the guidance."""

    def __init__(self, width, pooled, guided=False):
        super().__init__()
        self.timestep_embedder = TimestepEmbedding(256, width)
        self.guidance_embedder = TimestepEmbedding(256, width) if guided else None
        self.text_embedder = Projection(pooled, width)

    def forward(self, timestep, pooled, guidance=None):
        x = self.timestep_embedder(sinusoids(timestep, 256).to(pooled.dtype))
        if guidance is not None and self.guidance_embedder is not None:
            x = x + self.guidance_embedder(sinusoids(guidance, 256).to(pooled.dtype))
        return x + self.text_embedder(pooled)


class _Gelu(nn.Module):
    def __init__(self, width, wide):
        super().__init__()
        self.proj = nn.Linear(width, wide)

    def forward(self, x):
        return F.gelu(self.proj(x), approximate="tanh")


class FeedForward(nn.Module):
    def __init__(self, width, ratio=4):
        super().__init__()
        self.net = nn.ModuleList([_Gelu(width, ratio * width), nn.Dropout(0.0),
                                  nn.Linear(ratio * width, width)])

    def forward(self, x):
        for part in self.net:
            x = part(x)
        return x


def rotated(x, turns):
    """Pairs of channels, turned by angles of their places: x is [batch, places, heads, head]."""
    if turns is None:
        return x
    cos, sin = [t[None, :, None, :].to(x.dtype) for t in turns]
    real, other = x.unflatten(-1, (-1, 2)).unbind(-1)
    return x * cos + torch.stack([-other, real], dim=-1).flatten(3) * sin


class JointAttention(nn.Module):
    """Attention of places and, with `text`, of words that have weights of their own."""

    def __init__(self, width, heads, head, text=False, text_out=True, out=True, norm=False):
        super().__init__()
        inner = heads * head
        self.head = head
        self.norm_q, self.norm_k = self._norms(head, norm)
        self.to_q, self.to_k, self.to_v = [nn.Linear(width, inner) for _ in range(3)]
        self.to_out = nn.ModuleList([nn.Linear(inner, width), nn.Dropout(0.0)]) if out else None
        self.add_q_proj = self.to_add_out = None
        if text:
            self.norm_added_q, self.norm_added_k = self._norms(head, norm)
            self.add_q_proj, self.add_k_proj, self.add_v_proj = [
                nn.Linear(width, inner) for _ in range(3)]
            self.to_add_out = nn.Linear(inner, width) if text_out else None

    @staticmethod
    def _norms(head, norm):
        return [nn.RMSNorm(head, eps=1e-6) if norm else None for _ in range(2)]

    def _heads(self, projections, norms, x):
        made = [p(x).unflatten(-1, (-1, self.head)) for p in projections]
        return [m if norm is None else norm(m) for m, norm in zip(made, list(norms) + [None])]

    def forward(self, x, text=None, turns=None):
        parts = self._heads((self.to_q, self.to_k, self.to_v), (self.norm_q, self.norm_k), x)
        words = 0
        if text is not None:
            words = text.shape[1]
            added = self._heads((self.add_q_proj, self.add_k_proj, self.add_v_proj),
                                (self.norm_added_q, self.norm_added_k), text)
            parts = [torch.cat([a, b], dim=1) for a, b in zip(added, parts)]
        q, k, v = rotated(parts[0], turns), rotated(parts[1], turns), parts[2]
        y = F.scaled_dot_product_attention(*[t.transpose(1, 2) for t in (q, k, v)])
        y = y.transpose(1, 2).flatten(2)
        if self.to_out is None:
            return y
        if text is None:
            return self.to_out[1](self.to_out[0](y))
        z, y = y[:, :words], y[:, words:]
        return self.to_out[1](self.to_out[0](y)), z if self.to_add_out is None else \
            self.to_add_out(z)


class JointBlock(nn.Module):
    """A block of two streams; the last one may leave the text as it is, and `dual` adds an
    attention of the picture alone."""

    def __init__(self, width, heads, head, last=False, norm=False, dual=False):
        super().__init__()
        self.norm1 = AdaNorm(width, 9 if dual else 6)
        self.norm1_context = AdaNorm(width, 2 if last else 6)
        self.attn = JointAttention(width, heads, head, True, not last, norm=norm)
        self.attn2 = JointAttention(width, heads, head, norm=norm) if dual else None
        self.norm2, self.ff = plain_norm(width), FeedForward(width)
        self.norm2_context = None if last else plain_norm(width)
        self.ff_context = None if last else FeedForward(width)

    def forward(self, x, text, time, turns=None):
        plain, picture = self.norm1(x, time)
        words, context = self.norm1_context(text, time)
        y, z = self.attn(shifted(plain, picture[0], picture[1]),
                         shifted(words, context[0], context[1]), turns)
        x = x + picture[2] * y
        if self.attn2 is not None:
            x = x + picture[8] * self.attn2(shifted(plain, picture[6], picture[7]))
        x = x + picture[5] * self.ff(shifted(self.norm2(x), picture[3], picture[4]))
        if self.ff_context is not None:
            text = text + context[2] * z
            text = text + context[5] * self.ff_context(
                shifted(self.norm2_context(text), context[3], context[4]))
        return x, text


class LastNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, 2 * width)
        self.norm = plain_norm(width)

    def forward(self, x, time):
        scale, shift = self.linear(F.silu(time)).chunk(2, dim=1)
        return shifted(self.norm(x), shift.unsqueeze(1), scale.unsqueeze(1))


def added(x, samples, i, blocks):
    """What a control network adds after block i: it has a sample for every few blocks."""
    return x if samples is None else x + samples[i // -(-blocks // len(samples))]
