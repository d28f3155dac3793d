"""The vision transformer (Dosovitskiy et al. 2020)."""

import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
from torchvision.ops.misc import MLP, Conv2dNormActivation
from ._api import family, first, swag


class MLPBlock(MLP):
    def __init__(self, in_dim, mlp_dim, dropout):
        MLP.__init__(self, in_dim, [mlp_dim, in_dim], activation_layer=nn.GELU, dropout=dropout)


class EncoderBlock(nn.Module):
    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout,
                 norm_layer=partial(nn.LayerNorm, eps=1e-6)):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1, self.ln_2 = norm_layer(hidden_dim), norm_layer(hidden_dim)
        self.self_attention = nn.MultiheadAttention(hidden_dim, num_heads,
                                                    dropout=attention_dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def forward(self, input):
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    def __init__(self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout,
                 attention_dropout, norm_layer=partial(nn.LayerNorm, eps=1e-6)):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, seq_length, hidden_dim))
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.Sequential(OrderedDict([
            (f"encoder_layer_{i}", EncoderBlock(num_heads, hidden_dim, mlp_dim, dropout,
                                                attention_dropout, norm_layer))
            for i in range(num_layers)]))
        self.ln = norm_layer(hidden_dim)

    def forward(self, input):
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


class VisionTransformer(nn.Module):
    def __init__(self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim,
                 dropout=0.0, attention_dropout=0.0, num_classes=1000, representation_size=None,
                 norm_layer=partial(nn.LayerNorm, eps=1e-6), conv_stem_configs=None):
        super().__init__()
        self.image_size, self.patch_size, self.hidden_dim = image_size, patch_size, hidden_dim
        self.mlp_dim, self.num_classes = mlp_dim, num_classes
        self.representation_size = representation_size
        self.conv_proj = self._stem(conv_stem_configs)
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = Encoder(self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim,
                               dropout, attention_dropout, norm_layer)
        heads = OrderedDict()
        if representation_size is not None:
            heads["pre_logits"] = nn.Linear(hidden_dim, representation_size)
            heads["act"] = nn.Tanh()
        heads["head"] = nn.Linear(representation_size or hidden_dim, num_classes)
        self.heads = nn.Sequential(heads)

    def _stem(self, configs):
        if configs is None:
            return nn.Conv2d(3, self.hidden_dim, self.patch_size, self.patch_size)
        layers, width = [], 3
        for of in configs:
            layers.append(Conv2dNormActivation(
                width, of.out_channels, of.kernel_size, of.stride, norm_layer=of.norm_layer,
                activation_layer=of.activation_layer))
            width = of.out_channels
        return nn.Sequential(*layers, nn.Conv2d(width, self.hidden_dim, 1))

    def _process_input(self, x):
        return self.conv_proj(x).flatten(2).permute(0, 2, 1)

    def forward(self, x):
        x = self._process_input(x)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], 1)
        return self.heads(self.encoder(x)[:, 0])


def interpolate_embeddings(image_size, patch_size, model_state, *args, **kwargs):
    return model_state


def _make(patch, layers, heads, width, inner, image_size=224, **options):
    return VisionTransformer(image_size, patch, layers, heads, width, inner, **options)


globals().update(family(_make, [
    ("vit_b_16", "ViT_B_16", first() + swag(384), 16, 12, 12, 768, 3072),
    ("vit_b_32", "ViT_B_32", first(), 32, 12, 12, 768, 3072),
    ("vit_l_16", "ViT_L_16", first() + swag(512), 16, 24, 16, 1024, 4096),
    ("vit_l_32", "ViT_L_32", first(), 32, 24, 16, 1024, 4096),
    ("vit_h_14", "ViT_H_14", swag(518), 14, 32, 16, 1280, 5120)],
    with_weights=lambda weights: {"image_size": weights.meta["min_size"][0]}))
