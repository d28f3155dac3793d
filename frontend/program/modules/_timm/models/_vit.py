"""The vision transformer and its sizes."""

import torch
from torch import nn
from torch.nn import functional as F
from _timm.layers import DropPath, LayerScale, Mlp, PatchEmbed


class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=False, qk_norm=False, attn_drop=0.0,
                 proj_drop=0.0, norm_layer=nn.LayerNorm, qk_scale=None):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, dim // num_heads
        self.scale = qk_scale or self.head_dim ** -0.5
        self.fused_attn = True
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.attn_drop = nn.Dropout(attn_drop)
        self.proj = nn.Linear(dim, dim)
        self.proj_drop = nn.Dropout(proj_drop)

    def forward(self, x, attn_mask=None):
        n, tokens, dim = x.shape
        parts = self.qkv(x).reshape(n, tokens, 3, self.num_heads, dim // self.num_heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        x = F.scaled_dot_product_attention(self.q_norm(q), self.k_norm(k), v, attn_mask)
        return self.proj_drop(self.proj(x.transpose(1, 2).reshape(n, tokens, dim)))


class Block(nn.Module):
    def __init__(self, dim, num_heads, mlp_ratio=4.0, qkv_bias=False, qk_norm=False,
                 proj_drop=0.0, attn_drop=0.0, init_values=None, drop_path=0.0,
                 act_layer=nn.GELU, norm_layer=nn.LayerNorm, mlp_layer=Mlp, drop=0.0,
                 qk_scale=None, **options):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, num_heads, qkv_bias, qk_norm, attn_drop, proj_drop or drop,
                              norm_layer, qk_scale)
        self.ls1 = LayerScale(dim, init_values) if init_values else nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.norm2 = norm_layer(dim)
        self.mlp = mlp_layer(dim, int(dim * mlp_ratio), act_layer=act_layer,
                             drop=proj_drop or drop)
        self.ls2 = LayerScale(dim, init_values) if init_values else nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x):
        x = x + self.drop_path1(self.ls1(self.attn(self.norm1(x))))
        return x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))


def _norm(dim):
    return nn.LayerNorm(dim, eps=1e-6)


class VisionTransformer(nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, num_classes=1000,
                 global_pool="token", embed_dim=768, depth=12, num_heads=12, mlp_ratio=4.0,
                 qkv_bias=True, qk_norm=False, init_values=None, class_token=True,
                 drop_rate=0.0, attn_drop_rate=0.0, drop_path_rate=0.0, weight_init="",
                 embed_layer=PatchEmbed, norm_layer=None, act_layer=None, block_fn=Block,
                 distilled=False, fc_norm=None, representation_size=None, qk_scale=None,
                 **options):
        super().__init__()
        norm = norm_layer or _norm
        self.num_classes, self.num_features, self.embed_dim = num_classes, embed_dim, embed_dim
        self.global_pool, self.num_prefix_tokens = global_pool, (1 if class_token else 0) + (
            1 if distilled else 0)
        self.num_tokens = self.num_prefix_tokens
        self.patch_embed = embed_layer(img_size=img_size, patch_size=patch_size,
                                       in_chans=in_chans, embed_dim=embed_dim)
        n = self.patch_embed.num_patches
        self.cls_token = nn.Parameter(torch.zeros(1, 1, embed_dim)) if class_token else None
        self.dist_token = nn.Parameter(torch.zeros(1, 1, embed_dim)) if distilled else None
        self.pos_embed = nn.Parameter(torch.zeros(1, n + self.num_prefix_tokens, embed_dim))
        self.pos_drop = nn.Dropout(drop_rate)
        rates = [drop_path_rate * i / max(depth - 1, 1) for i in range(depth)]
        self.blocks = nn.Sequential(*[block_fn(
            dim=embed_dim, num_heads=num_heads, mlp_ratio=mlp_ratio, qkv_bias=qkv_bias,
            qk_norm=qk_norm, init_values=init_values, attn_drop=attn_drop_rate,
            drop_path=rates[i], norm_layer=norm, act_layer=act_layer or nn.GELU)
            for i in range(depth)])
        after = global_pool == "avg" if fc_norm is None else fc_norm
        self.norm = nn.Identity() if after else norm(embed_dim)
        self.fc_norm = norm(embed_dim) if after else nn.Identity()
        self.head_drop = nn.Dropout(drop_rate)
        self.head = self._head()
        self.head_dist = self._head() if distilled else None

    def _head(self):
        n = self.num_classes
        return nn.Linear(self.embed_dim, n) if n > 0 else nn.Identity()

    def no_weight_decay(self):
        return {"pos_embed", "cls_token", "dist_token"}

    def get_classifier(self):
        return self.head

    def reset_classifier(self, num_classes, global_pool=None):
        self.num_classes = num_classes
        self.head = self._head()

    def set_grad_checkpointing(self, enable=True):
        pass

    def _pos_embed(self, x):
        first = [t.expand(x.shape[0], -1, -1) for t in (self.cls_token, self.dist_token)
                 if t is not None]
        if first:
            x = torch.cat(first + [x], 1)
        return self.pos_drop(x + self.pos_embed)

    def forward_features(self, x):
        return self.norm(self.blocks(self._pos_embed(self.patch_embed(x))))

    def forward_head(self, x, pre_logits=False):
        if self.global_pool == "avg":
            x = x[:, self.num_prefix_tokens:].mean(1)
        elif self.global_pool:
            x = x[:, 0]
        x = self.head_drop(self.fc_norm(x))
        return x if pre_logits else self.head(x)

    def forward(self, x):
        x = self.forward_features(x)
        # Classes that derive from older versions pool there.
        return self.forward_head(x) if x.dim() == 3 else self.head(x)


_SIZES = {"tiny": (192, 12, 3), "small": (384, 12, 6), "base": (768, 12, 12),
          "large": (1024, 24, 16), "huge": (1280, 32, 16)}
VITS = {}
for _size, _patches in (("tiny", (16,)), ("small", (8, 16, 32)), ("base", (8, 16, 32)),
                        ("large", (14, 16, 32)), ("huge", (14,))):
    for _patch in _patches:
        for _pixels in (224, 384):
            VITS["vit_%s_patch%d_%d" % (_size, _patch, _pixels)] = (_size, _patch, _pixels)
for _size in ("tiny", "small", "base"):
    VITS["deit_%s_patch16_224" % _size] = (_size, 16, 224)
VITS["deit_base_patch16_384"] = ("base", 16, 384)


def build_vit(name, options):
    size, patch, pixels = VITS[name]
    dim, depth, heads = _SIZES[size]
    given = dict(img_size=pixels, patch_size=patch, embed_dim=dim, depth=depth, num_heads=heads)
    given.update(options)
    model = VisionTransformer(**given)
    model.default_cfg = model.pretrained_cfg = {
        "input_size": (3, pixels, pixels), "mean": (0.5,) * 3, "std": (0.5,) * 3,
        "num_classes": model.num_classes, "interpolation": "bicubic", "crop_pct": 0.9}
    return model
