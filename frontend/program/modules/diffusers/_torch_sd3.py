"""Stable Diffusion 3 and 3.5 (Esser et al. 2024): a transformer of pictures and texts."""

import torch
from torch import nn

from diffusers._config import Configured
from diffusers._torch_dit import JointBlock, LastNorm, TimeText, added
from diffusers._torch_unet import Output


class _Patches(nn.Module):
    """Patches of a picture, with places that are cut from the middle of a larger table."""

    def __init__(self, patch, incoming, width, most):
        super().__init__()
        self.most = most
        self.proj = nn.Conv2d(incoming, width, patch, patch)
        self.register_buffer("pos_embed", torch.zeros(1, most * most, width))

    def forward(self, x):
        x = self.proj(x)
        height, width = x.shape[-2:]
        top, left = (self.most - height) // 2, (self.most - width) // 2
        places = self.pos_embed.reshape(1, self.most, self.most, -1)
        places = places[:, top:top + height, left:left + width].flatten(1, 2)
        return x.flatten(2).transpose(1, 2) + places.to(x.dtype)


class SD3Transformer2DModel(Configured, nn.Module):
    published = (
        (("stable-diffusion-3.5-large", "stable-diffusion-3.5-large-turbo"), dict(
            num_layers=38, num_attention_heads=38, caption_projection_dim=2432,
            pos_embed_max_size=192, qk_norm="rms_norm")),
        (("stable-diffusion-3.5-medium",), dict(
            num_layers=24, num_attention_heads=24, caption_projection_dim=1536,
            pos_embed_max_size=384, qk_norm="rms_norm", dual_attention_layers=tuple(range(13)))),
        (("stable-diffusion-3-",), dict(
            num_layers=24, num_attention_heads=24, caption_projection_dim=1536,
            pos_embed_max_size=192)))

    def __init__(self, sample_size=128, patch_size=2, in_channels=16, num_layers=18,
                 attention_head_dim=64, num_attention_heads=18, joint_attention_dim=4096,
                 caption_projection_dim=1152, pooled_projection_dim=2048, out_channels=16,
                 pos_embed_max_size=96, dual_attention_layers=(), qk_norm=None):
        super().__init__()
        self.keep_config(locals())
        heads, head = num_attention_heads, attention_head_dim
        width = self.inner_dim = heads * head
        self.out_channels = out_channels if out_channels is not None else in_channels
        self.pos_embed = _Patches(patch_size, in_channels, width, pos_embed_max_size)
        self.time_text_embed = TimeText(width, pooled_projection_dim)
        self.context_embedder = nn.Linear(joint_attention_dim, caption_projection_dim)
        self.transformer_blocks = nn.ModuleList(
            [JointBlock(width, heads, head, i == num_layers - 1, qk_norm is not None,
                        i in dual_attention_layers) for i in range(num_layers)])
        self.norm_out = LastNorm(width)
        self.proj_out = nn.Linear(width, patch_size * patch_size * self.out_channels)

    def forward(self, hidden_states, encoder_hidden_states=None, pooled_projections=None,
                timestep=None, block_controlnet_hidden_states=None, joint_attention_kwargs=None,
                return_dict=True, skip_layers=None):
        height, width = hidden_states.shape[-2:]
        x = self.pos_embed(hidden_states)
        time = self.time_text_embed(timestep, pooled_projections)
        text = self.context_embedder(encoder_hidden_states)
        blocks = self.transformer_blocks
        for i, block in enumerate(blocks):
            if skip_layers is None or i not in skip_layers:
                x, text = block(x, text, time)
            x = added(x, block_controlnet_hidden_states, i, len(blocks))
        x = self.proj_out(self.norm_out(x, time))
        p, c = self.config.patch_size, self.out_channels
        x = x.reshape(x.shape[0], height // p, width // p, p, p, c).permute(0, 5, 1, 3, 2, 4)
        x = x.reshape(x.shape[0], c, height, width)
        return Output(x) if return_dict else (x,)
