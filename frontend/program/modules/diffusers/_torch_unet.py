"""UNets of diffusers: of pictures (UNet2DModel), and of latents with a text (Stable Diffusion)."""

import math

import _python
import torch
import torch.nn.functional as F
from torch import nn

from diffusers._config import Configured
from diffusers._torch_parts import Attention, Down, Residual, Up, attend
from transformers.modeling_outputs import ModelOutput


def Output(sample):
    return ModelOutput(sample=sample)


def sinusoids(steps, width, flip=True, shift=0):
    half = width // 2
    rates = torch.exp(-math.log(10000) * torch.arange(half, dtype=torch.float32) / (half - shift))
    angles = steps[:, None].float() * rates[None, :]
    first, second = torch.sin(angles), torch.cos(angles)
    return torch.cat([second, first] if flip else [first, second], dim=-1)


class TimestepEmbedding(nn.Module):
    def __init__(self, incoming, channels):
        super().__init__()
        self.linear_1 = nn.Linear(incoming, channels)
        self.linear_2 = nn.Linear(channels, channels)

    def forward(self, x):
        return self.linear_2(F.silu(self.linear_1(x)))


class _TextAttention(nn.Module):
    def __init__(self, channels, heads, context):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(channels, channels, bias=False)
        self.to_k = nn.Linear(context, channels, bias=False)
        self.to_v = nn.Linear(context, channels, bias=False)
        self.to_out = nn.ModuleList([nn.Linear(channels, channels), nn.Dropout(0.0)])

    def forward(self, x, context):
        return self.to_out[0](attend(self.to_q(x), self.to_k(context), self.to_v(context),
                                     self.heads))


class _FeedForward(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.proj = nn.Linear(channels, 8 * channels)
        self.out = nn.Linear(4 * channels, channels)

    def forward(self, x):
        x, gate = self.proj(x).chunk(2, dim=-1)
        return self.out(x * F.gelu(gate))


class _Block(nn.Module):
    def __init__(self, channels, heads, context):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = [nn.LayerNorm(channels) for _ in range(3)]
        self.attn1 = _TextAttention(channels, heads, channels)
        self.attn2 = _TextAttention(channels, heads, context)
        self.ff = _FeedForward(channels)

    def forward(self, x, context):
        y = self.norm1(x)
        x = x + self.attn1(y, y)
        x = x + self.attn2(self.norm2(x), context)
        return x + self.ff(self.norm3(x))


class _Transformer(nn.Module):
    def __init__(self, channels, heads, context, layers, linear, groups):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels, eps=1e-6)
        self.linear = linear
        self.proj_in = nn.Linear(channels, channels) if linear else nn.Conv2d(channels, channels, 1)
        self.transformer_blocks = nn.ModuleList(
            [_Block(channels, heads, context) for _ in range(layers)])
        self.proj_out = nn.Linear(channels, channels) if linear else nn.Conv2d(channels, channels,
                                                                               1)

    def forward(self, x, context):
        b, c, h, w = x.shape
        y = self.norm(x)
        y = y if self.linear else self.proj_in(y)
        y = y.permute(0, 2, 3, 1).reshape(b, h * w, c)
        y = self.proj_in(y) if self.linear else y
        for block in self.transformer_blocks:
            y = block(y, context)
        y = self.proj_out(y) if self.linear else y
        y = y.reshape(b, h, w, c).permute(0, 3, 1, 2)
        return x + (y if self.linear else self.proj_out(y))


class _Level(nn.Module):
    """Residual blocks at one resolution, each with attention of its kind, then a change of size."""

    def __init__(self, pairs, time, attention, resize, options):
        super().__init__()
        self.resnets = nn.ModuleList([Residual(a, b, time, **options) for a, b in pairs])
        self.attentions = None if attention is None else nn.ModuleList(
            [attention() for _ in pairs])
        self.resize = resize

    def run(self, i, x, time, context):
        x = self.resnets[i](x, time)
        return x if self.attentions is None else self.attentions[i](x, context)


class _Middle(nn.Module):
    def __init__(self, channels, time, attention, options):
        super().__init__()
        self.resnets = nn.ModuleList([Residual(channels, channels, time, **options)
                                      for _ in range(2)])
        self.attentions = nn.ModuleList([] if attention is None else [attention()])

    def forward(self, x, time, context):
        x = self.resnets[0](x, time)
        for attention in self.attentions:
            x = attention(x, context)
        return self.resnets[1](x, time)


def _each(value, n):
    return list(value) if isinstance(value, (list, tuple)) else [value] * n


def _kind(name, base):
    """What stands before DownBlock2D or UpBlock2D: "", "Attn" or "CrossAttn"."""
    kinds = {before + base + "2D": before for before in ("", "Attn", "CrossAttn")}
    if name not in kinds:
        raise NotImplementedError("tilewise does not know diffusers' block " + str(name))
    return kinds[name]


def _only(name, value, known):
    if value not in known:
        raise NotImplementedError(
            "tilewise does not know diffusers' UNet with {}={!r}".format(name, value))


class _UNet(Configured, nn.Module):
    """The encoder, and with `up_block_types` the decoder; `attention(i)` makes that of level i."""

    def _build(self, c, attention, padding, middle):
        widths, depth = c.block_out_channels, len(c.block_out_channels)
        layers = _each(c.layers_per_block, depth)
        time = 4 * widths[0]
        options = {"groups": c.norm_num_groups, "eps": c.norm_eps, "dropout": c.dropout}
        self.conv_in = nn.Conv2d(c.in_channels, widths[0], 3, padding=1)
        self.time_embedding = TimestepEmbedding(widths[0], time)
        self.class_embedding = None if c.num_class_embeds is None else nn.Embedding(
            c.num_class_embeds, time)
        self.down_blocks, skips, last = nn.ModuleList(), [widths[0]], widths[0]
        for i, name in enumerate(c.down_block_types):
            pairs = [(last if j == 0 else widths[i], widths[i]) for j in range(layers[i])]
            last = widths[i]
            resize = Down(last, padding) if i + 1 < depth else None
            self.down_blocks.append(_Level(pairs, time, attention(i, _kind(name, "DownBlock")),
                                           resize, options))
            skips += [last] * (layers[i] + (resize is not None))
        self.mid_block = _Middle(last, time, attention(depth - 1, middle), options)
        self.skip_widths = tuple(skips)
        self.up_blocks = nn.ModuleList()
        for i, name in enumerate(c.up_block_types or ()):
            at = depth - 1 - i
            pairs = []
            for j in range(layers[at] + 1):
                pairs.append((last + skips.pop(), widths[at]))
                last = widths[at]
            resize = Up(last) if i + 1 < depth else None
            self.up_blocks.append(_Level(pairs, time, attention(at, _kind(name, "UpBlock")),
                                         resize, options))
        if c.up_block_types:
            self.conv_norm_out = nn.GroupNorm(c.norm_num_groups, last, eps=c.norm_eps)
            self.conv_out = nn.Conv2d(last, c.out_channels, 3, padding=1)

    def _time(self, x, timestep, labels):
        c = self.config
        if not torch.is_tensor(timestep):
            timestep = torch.tensor([timestep])
        steps = timestep.reshape(-1).expand(x.shape[0])
        time = self.time_embedding(
            sinusoids(steps, c.block_out_channels[0], c.flip_sin_to_cos, c.freq_shift).to(x.dtype))
        if self.class_embedding is not None and labels is not None:
            time = time + self.class_embedding(labels)
        return time

    def _encode(self, x, time, context, features=()):
        """What every layer of the encoder gives, for the decoder, and the middle's result; each
        level adds one of the features of an adapter."""
        kept, features = [x], list(features or ())
        for level in self.down_blocks:
            for i in range(len(level.resnets)):
                x = level.run(i, x, time, context)
                if features and level.attentions is not None and i + 1 == len(level.resnets):
                    x = x + features.pop(0)
                kept.append(x)
            if level.resize is not None:
                x = level.resize(x)
                kept.append(x)
            if features and level.attentions is None:
                x = x + features.pop(0)
        x = self.mid_block(x, time, context)
        return kept, x + features.pop(0) if features and features[0].shape == x.shape else x

    def _decode(self, x, kept, time, context):
        kept = list(kept)
        for level in self.up_blocks:
            for i in range(len(level.resnets)):
                x = level.run(i, torch.cat([x, kept.pop()], dim=1), time, context)
            if level.resize is not None:
                x = level.resize(x)
        return self.conv_out(F.silu(self.conv_norm_out(x)))


class UNet2DModel(_UNet):
    def __init__(self, sample_size=None, in_channels=3, out_channels=3, center_input_sample=False,
                 time_embedding_type="positional", time_embedding_dim=None, freq_shift=0,
                 flip_sin_to_cos=True,
                 down_block_types=("DownBlock2D", "AttnDownBlock2D", "AttnDownBlock2D",
                                   "AttnDownBlock2D"),
                 mid_block_type="UNetMidBlock2D",
                 up_block_types=("AttnUpBlock2D", "AttnUpBlock2D", "AttnUpBlock2D", "UpBlock2D"),
                 block_out_channels=(224, 448, 672, 896), layers_per_block=2,
                 mid_block_scale_factor=1, downsample_padding=1, downsample_type="conv",
                 upsample_type="conv", dropout=0.0, act_fn="silu", attention_head_dim=8,
                 norm_num_groups=32, attn_norm_num_groups=None, norm_eps=1e-5,
                 resnet_time_scale_shift="default", add_attention=True, class_embed_type=None,
                 num_class_embeds=None, num_train_timesteps=None):
        super().__init__()
        self.keep_config(locals())
        c = self.config
        for name, known in (("time_embedding_type", ("positional",)), ("class_embed_type", (None,)),
                            ("resnet_time_scale_shift", ("default",)),
                            ("downsample_type", ("conv",)), ("upsample_type", ("conv",)),
                            ("time_embedding_dim", (None,))):
            _only(name, c[name], known)

        def attention(i, kind):
            return None if not kind else lambda: Attention(
                block_out_channels[i], attention_head_dim, norm_num_groups, norm_eps)

        self._build(c, attention, downsample_padding, "Attn" if add_attention else "")

    def forward(self, sample, timestep, class_labels=None, return_dict=True):
        x = 2 * sample - 1.0 if self.config.center_input_sample else sample
        time = self._time(x, timestep, class_labels)
        kept, x = self._encode(self.conv_in(x), time, None)
        x = self._decode(x, kept, time, None)
        return Output(x) if return_dict else (x,)


class _TextUNet(_UNet):
    def _build_text(self, c):
        depth = len(c.block_out_channels)
        heads = _each(c.num_attention_heads or c.attention_head_dim, depth)
        layers = _each(c.transformer_layers_per_block, depth)
        for name, known in (("encoder_hid_dim_type", (None,)), ("class_embed_type", (None,)),
                            ("addition_embed_type", (None, "text_time")),
                            ("resnet_time_scale_shift", ("default",)),
                            ("mid_block_type", ("UNetMidBlock2DCrossAttn",))):
            _only(name, c[name], known)

        def attention(i, kind):
            if kind == "Attn":
                _kind(kind, "")
            return None if not kind else lambda: _Transformer(
                c.block_out_channels[i], heads[i], c.cross_attention_dim, layers[i],
                c.use_linear_projection, c.norm_num_groups)

        self._build(c, attention, c.downsample_padding, "CrossAttn")
        self.add_embedding = None if c.addition_embed_type is None else TimestepEmbedding(
            c.projection_class_embeddings_input_dim, 4 * c.block_out_channels[0])

    def _text_time(self, x, timestep, labels, added):
        time = self._time(x, timestep, labels)
        if self.add_embedding is None:
            return time
        ids = added["time_ids"]
        sizes = sinusoids(ids.reshape(-1), self.config.addition_time_embed_dim,
                          self.config.flip_sin_to_cos, self.config.freq_shift)
        texts = added["text_embeds"]
        sizes = sizes.reshape(texts.shape[0], -1).to(texts.dtype)
        return time + self.add_embedding(torch.cat([texts, sizes], dim=-1).to(time.dtype))


_DOWN = ("CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D")
_UP = ("UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D")


class UNet2DConditionModel(_TextUNet):
    def __init__(self, sample_size=None, in_channels=4, out_channels=4, center_input_sample=False,
                 flip_sin_to_cos=True, freq_shift=0, down_block_types=_DOWN,
                 mid_block_type="UNetMidBlock2DCrossAttn", up_block_types=_UP,
                 only_cross_attention=False, block_out_channels=(320, 640, 1280, 1280),
                 layers_per_block=2, downsample_padding=1, mid_block_scale_factor=1, dropout=0.0,
                 act_fn="silu", norm_num_groups=32, norm_eps=1e-5, cross_attention_dim=1280,
                 transformer_layers_per_block=1, encoder_hid_dim=None, encoder_hid_dim_type=None,
                 attention_head_dim=8, num_attention_heads=None, dual_cross_attention=False,
                 use_linear_projection=False, class_embed_type=None, addition_embed_type=None,
                 addition_time_embed_dim=None, num_class_embeds=None, upcast_attention=False,
                 resnet_time_scale_shift="default", time_embedding_type="positional",
                 time_cond_proj_dim=None, projection_class_embeddings_input_dim=None, **options):
        super().__init__()
        self.keep_config(locals())
        self._build_text(self.config)

    def forward(self, sample, timestep, encoder_hidden_states, class_labels=None,
                timestep_cond=None, attention_mask=None, cross_attention_kwargs=None,
                added_cond_kwargs=None, down_block_additional_residuals=None,
                mid_block_additional_residual=None, down_intrablock_additional_residuals=None,
                encoder_attention_mask=None, return_dict=True):
        time = self._text_time(sample, timestep, class_labels, added_cond_kwargs)
        if mid_block_additional_residual is None and down_block_additional_residuals is not None:
            # So programs give the features of an adapter, too.
            down_intrablock_additional_residuals = down_block_additional_residuals
            down_block_additional_residuals = None
        kept, x = self._encode(self.conv_in(sample), time, encoder_hidden_states,
                               down_intrablock_additional_residuals)
        if down_block_additional_residuals is not None:
            kept = [a + b for a, b in zip(kept, down_block_additional_residuals)]
        if mid_block_additional_residual is not None:
            x = x + mid_block_additional_residual
        x = self._decode(x, kept, time, encoder_hidden_states)
        return Output(x) if return_dict else (x,)


class _Hint(nn.Module):
    def __init__(self, channels, widths, incoming):
        super().__init__()
        self.conv_in = nn.Conv2d(incoming, widths[0], 3, padding=1)
        self.blocks = nn.ModuleList()
        for a, b in zip(widths, widths[1:]):
            self.blocks.append(nn.Conv2d(a, a, 3, padding=1))
            self.blocks.append(nn.Conv2d(a, b, 3, padding=1, stride=2))
        self.conv_out = nn.Conv2d(widths[-1], channels, 3, padding=1)

    def forward(self, x):
        x = F.silu(self.conv_in(x))
        for block in self.blocks:
            x = F.silu(block(x))
        return self.conv_out(x)


class ControlNetModel(_TextUNet):
    def __init__(self, unet_config=None, conditioning_channels=3,
                 conditioning_embedding_out_channels=(16, 32, 96, 256), **options):
        super().__init__()
        rows = _python.signature(UNet2DConditionModel.__init__)
        config = {name: default for name, _, has_default, default in rows if has_default}
        self.keep_config(dict(config, **(unet_config or {}), **options, up_block_types=None))
        self._build_text(self.config)
        widths = self.config.block_out_channels
        self.controlnet_cond_embedding = _Hint(
            widths[0], conditioning_embedding_out_channels, conditioning_channels)
        self.controlnet_down_blocks = nn.ModuleList(
            [nn.Conv2d(w, w, 1) for w in self.skip_widths])
        self.controlnet_mid_block = nn.Conv2d(widths[-1], widths[-1], 1)

    @classmethod
    def from_unet(cls, unet, **options):
        return cls(unet.config, **options)

    def forward(self, sample, timestep, encoder_hidden_states, controlnet_cond,
                conditioning_scale=1.0, class_labels=None, timestep_cond=None,
                attention_mask=None, added_cond_kwargs=None, cross_attention_kwargs=None,
                guess_mode=False, return_dict=True):
        time = self._text_time(sample, timestep, class_labels, added_cond_kwargs)
        x = self.conv_in(sample) + self.controlnet_cond_embedding(controlnet_cond)
        kept, x = self._encode(x, time, encoder_hidden_states)
        kept = [conv(k) * conditioning_scale for conv, k in zip(self.controlnet_down_blocks, kept)]
        return kept, self.controlnet_mid_block(x) * conditioning_scale


# The sizes of published models, as their config.json on the hub has them.
_DDPM = {"downsample_padding": 0, "attention_head_dim": None, "freq_shift": 1,
         "flip_sin_to_cos": False, "norm_eps": 1e-6}
UNet2DModel.published = (
    (("ddpm-cifar10-32",), dict(
        _DDPM, sample_size=32, block_out_channels=(128, 256, 256, 256),
        down_block_types=("DownBlock2D", "AttnDownBlock2D", "DownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "UpBlock2D", "AttnUpBlock2D", "UpBlock2D"))),
    (("ddpm-cat-256", "ddpm-church-256", "ddpm-celebahq-256", "ddpm-bedroom-256"), dict(
        _DDPM, sample_size=256, block_out_channels=(128, 128, 256, 256, 512, 512),
        down_block_types=("DownBlock2D",) * 4 + ("AttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "AttnUpBlock2D") + ("UpBlock2D",) * 4)),
)
_SD2 = {"attention_head_dim": (5, 10, 20, 20), "cross_attention_dim": 1024,
        "use_linear_projection": True}
UNet2DConditionModel.published = (
    (("stable-diffusion-xl-base-", "sdxl-turbo", "playground-v2-", "playground-v2."), dict(
        sample_size=128, block_out_channels=(320, 640, 1280), attention_head_dim=(5, 10, 20),
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
        transformer_layers_per_block=(1, 2, 10), cross_attention_dim=2048,
        use_linear_projection=True, addition_embed_type="text_time", addition_time_embed_dim=256,
        projection_class_embeddings_input_dim=2816)),
    (("stable-diffusion-inpainting", "stable-diffusion-v1-5-inpainting"), dict(
        sample_size=64, cross_attention_dim=768, in_channels=9)),
    (("stable-diffusion-2-inpainting",), dict(_SD2, sample_size=64, in_channels=9)),
    (("instruct-pix2pix",), dict(sample_size=64, cross_attention_dim=768, in_channels=8)),
    (("sd-turbo",), dict(_SD2, sample_size=64)),
    (("stable-diffusion-2-base", "stable-diffusion-2-1-base"), dict(_SD2, sample_size=64)),
    (("stable-diffusion-2", "stable-diffusion-2-1"), dict(_SD2, sample_size=96)),
    (("stable-diffusion-v1-1", "stable-diffusion-v1-2", "stable-diffusion-v1-3",
      "stable-diffusion-v1-4", "stable-diffusion-v1-5"), dict(
        sample_size=64, cross_attention_dim=768)),
)
