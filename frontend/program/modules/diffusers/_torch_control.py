"""Control networks of the transformers of Stable Diffusion 3 and FLUX.1: some of their blocks,
whose results go through a layer each and are added to those of the whole."""

import torch
from torch import nn

from diffusers._torch_dit import JointBlock
from diffusers._torch_flux import FluxTransformer2DModel
from diffusers._torch_sd3 import SD3Transformer2DModel
from transformers.modeling_outputs import ModelOutput


def _layers(width, blocks):
    return nn.ModuleList([nn.Linear(width, width) for _ in blocks])


def _through(layers, samples, scale):
    return [layer(x) * scale for layer, x in zip(layers, samples)]


class _Input(nn.Module):
    def __init__(self, patch, incoming, width):
        super().__init__()
        self.proj = nn.Conv2d(incoming, width, patch, patch)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class SD3ControlNetModel(SD3Transformer2DModel):
    published = ()

    def __init__(self, extra_conditioning_channels=0, pos_embed_type="sincos", use_pos_embed=True,
                 force_zeros_for_pooled_projection=True, **sizes):
        super().__init__(**sizes)
        self.config.update(extra_conditioning_channels=extra_conditioning_channels,
                           force_zeros_for_pooled_projection=force_zeros_for_pooled_projection)
        c, width = self.config, self.inner_dim
        blocks = list(self.transformer_blocks)[:-1]
        i = len(blocks)
        blocks.append(JointBlock(width, c.num_attention_heads, c.attention_head_dim, False,
                                 c.qk_norm is not None, i in c.dual_attention_layers))
        self.transformer_blocks = nn.ModuleList(blocks)
        del self.norm_out, self.proj_out
        self.controlnet_blocks = _layers(width, blocks)
        self.pos_embed_input = _Input(c.patch_size, c.in_channels + extra_conditioning_channels,
                                      width)

    @classmethod
    def from_config(cls, config, **options):
        return cls(**dict(config, **options))

    @classmethod
    def from_transformer(cls, transformer, num_layers=12, num_extra_conditioning_channels=1,
                         load_weights_from_transformer=True):
        config = dict(transformer.config, num_layers=num_layers or transformer.config.num_layers,
                      extra_conditioning_channels=num_extra_conditioning_channels)
        return cls(**config)

    def forward(self, hidden_states, controlnet_cond, conditioning_scale=1.0,
                encoder_hidden_states=None, pooled_projections=None, timestep=None,
                joint_attention_kwargs=None, return_dict=True):
        x = self.pos_embed(hidden_states) + self.pos_embed_input(controlnet_cond)
        time = self.time_text_embed(timestep, pooled_projections)
        text, samples = self.context_embedder(encoder_hidden_states), []
        for block in self.transformer_blocks:
            x, text = block(x, text, time)
            samples.append(x)
        made = _through(self.controlnet_blocks, samples, conditioning_scale)
        return ModelOutput(controlnet_block_samples=made) if return_dict else (made,)


class FluxControlNetModel(FluxTransformer2DModel):
    published = ()

    def __init__(self, num_mode=None, conditioning_embedding_channels=None, **sizes):
        super().__init__(**sizes)
        if conditioning_embedding_channels is not None:
            raise NotImplementedError("tilewise does not know this input of a control network")
        width = self.inner_dim
        self.config.update(num_mode=num_mode)
        del self.norm_out, self.proj_out
        self.controlnet_blocks = _layers(width, self.transformer_blocks)
        self.controlnet_single_blocks = _layers(width, self.single_transformer_blocks)
        self.controlnet_mode_embedder = None if num_mode is None else nn.Embedding(num_mode, width)
        self.controlnet_x_embedder = nn.Linear(self.config.in_channels, width)
        self.union, self.input_hint_block = num_mode is not None, None

    @classmethod
    def from_config(cls, config, **options):
        return cls(**dict(config, **options))

    @classmethod
    def from_transformer(cls, transformer, num_layers=4, num_single_layers=10,
                         attention_head_dim=128, num_attention_heads=24,
                         load_weights_from_transformer=True):
        return cls(**dict(transformer.config, num_layers=num_layers,
                          num_single_layers=num_single_layers,
                          attention_head_dim=attention_head_dim,
                          num_attention_heads=num_attention_heads))

    def forward(self, hidden_states, controlnet_cond, controlnet_mode=None, conditioning_scale=1.0,
                encoder_hidden_states=None, pooled_projections=None, timestep=None, img_ids=None,
                txt_ids=None, guidance=None, joint_attention_kwargs=None, return_dict=True):
        x = self.x_embedder(hidden_states) + self.controlnet_x_embedder(controlnet_cond)
        time = self.time_of(x, timestep, pooled_projections, guidance)
        text = self.context_embedder(encoder_hidden_states)
        if self.union:
            text = torch.cat([self.controlnet_mode_embedder(controlnet_mode), text], dim=1)
            txt_ids = torch.cat([txt_ids[:1], txt_ids], dim=0)
        turns, samples, single = self.turns_of(txt_ids, img_ids), [], []
        for block in self.transformer_blocks:
            x, text = block(x, text, time, turns)
            samples.append(x)
        words, x = text.shape[1], torch.cat([text, x], dim=1)
        for block in self.single_transformer_blocks:
            x = block(x, time, turns)
            single.append(x[:, words:])
        made = [_through(self.controlnet_blocks, samples, conditioning_scale),
                _through(self.controlnet_single_blocks, single, conditioning_scale)]
        if not return_dict:
            return tuple(made)
        return ModelOutput(controlnet_block_samples=made[0],
                           controlnet_single_block_samples=made[1])
