"""FLUX.1 (Black Forest Labs 2024): blocks of two streams, then of one."""

import torch
import torch.nn.functional as F
from torch import nn

from diffusers._config import Configured
from diffusers._torch_dit import (AdaNorm, JointAttention, JointBlock, LastNorm, TimeText, added,
                                  shifted)
from diffusers._torch_unet import Output


class _Single(nn.Module):
    def __init__(self, width, heads, head):
        super().__init__()
        self.norm = AdaNorm(width, 3)
        self.proj_mlp = nn.Linear(width, 4 * width)
        self.proj_out = nn.Linear(5 * width, width)
        self.attn = JointAttention(width, heads, head, out=False, norm=True)

    def forward(self, x, time, turns):
        y, (shift, scale, gate) = self.norm(x, time)
        y = shifted(y, shift, scale)
        both = [self.attn(y, None, turns), F.gelu(self.proj_mlp(y), approximate="tanh")]
        return x + gate * self.proj_out(torch.cat(both, dim=2))


class FluxTransformer2DModel(Configured, nn.Module):
    published = ((("FLUX.1-schnell",), {}),
                 (("FLUX.1-Depth-", "FLUX.1-Canny-"),
                  {"guidance_embeds": True, "in_channels": 128, "out_channels": 64}),
                 (("FLUX.1-Fill-",),
                  {"guidance_embeds": True, "in_channels": 384, "out_channels": 64}),
                 (("FLUX.1-",), {"guidance_embeds": True}))

    def __init__(self, patch_size=1, in_channels=64, out_channels=None, num_layers=19,
                 num_single_layers=38, attention_head_dim=128, num_attention_heads=24,
                 joint_attention_dim=4096, pooled_projection_dim=768, guidance_embeds=False,
                 axes_dims_rope=(16, 56, 56)):
        super().__init__()
        self.keep_config(locals())
        heads, head = num_attention_heads, attention_head_dim
        width = self.inner_dim = heads * head
        self.out_channels = out_channels or in_channels
        self.time_text_embed = TimeText(width, pooled_projection_dim, guidance_embeds)
        self.context_embedder = nn.Linear(joint_attention_dim, width)
        self.x_embedder = nn.Linear(in_channels, width)
        self.transformer_blocks = nn.ModuleList(
            [JointBlock(width, heads, head, norm=True) for _ in range(num_layers)])
        self.single_transformer_blocks = nn.ModuleList(
            [_Single(width, heads, head) for _ in range(num_single_layers)])
        self.norm_out = LastNorm(width)
        self.proj_out = nn.Linear(width, patch_size * patch_size * self.out_channels)

    def turns_of(self, txt_ids, img_ids):
        ids = torch.cat([i[0] if i.dim() == 3 else i for i in (txt_ids, img_ids)], dim=0)
        angles = []
        for i, width in enumerate(self.config.axes_dims_rope):
            rates = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float32) / width)
            angles.append(ids[:, i, None].float() * rates[None, :])
        both = torch.cat(angles, dim=1).repeat_interleave(2, dim=1)
        return both.cos(), both.sin()

    def time_of(self, x, timestep, pooled, guidance):
        return self.time_text_embed(timestep.to(x.dtype) * 1000, pooled,
                                    None if guidance is None else guidance.to(x.dtype) * 1000)

    def forward(self, hidden_states, encoder_hidden_states=None, pooled_projections=None,
                timestep=None, img_ids=None, txt_ids=None, guidance=None,
                joint_attention_kwargs=None, controlnet_block_samples=None,
                controlnet_single_block_samples=None, return_dict=True,
                controlnet_blocks_repeat=False):
        x = self.x_embedder(hidden_states)
        time = self.time_of(x, timestep, pooled_projections, guidance)
        text = self.context_embedder(encoder_hidden_states)
        turns = self.turns_of(txt_ids, img_ids)
        for i, block in enumerate(self.transformer_blocks):
            x, text = block(x, text, time, turns)
            x = added(x, controlnet_block_samples, i, len(self.transformer_blocks))
        words = text.shape[1]
        x = torch.cat([text, x], dim=1)
        for i, block in enumerate(self.single_transformer_blocks):
            x = block(x, time, turns)
            if controlnet_single_block_samples is not None:
                extra = added(x[:, words:], controlnet_single_block_samples, i,
                              len(self.single_transformer_blocks))
                x = torch.cat([x[:, :words], extra], dim=1)
        x = self.proj_out(self.norm_out(x[:, words:], time))
        return Output(x) if return_dict else (x,)


class FluxPipeline:
    """How latents become rows, two by two, and back, and what encodes texts."""

    @classmethod
    def from_pretrained(cls, name, torch_dtype=None, text_encoder=(), text_encoder_2=(),
                        **options):
        from transformers import CLIPTextModel, CLIPTokenizer, T5EncoderModel, T5TokenizerFast
        made, kind = object.__new__(cls), {"torch_dtype": torch_dtype}
        made.tokenizer = CLIPTokenizer.from_pretrained(name, subfolder="tokenizer")
        made.tokenizer_2 = T5TokenizerFast.from_pretrained(name, subfolder="tokenizer_2")
        made.text_encoder = text_encoder if text_encoder != () else \
            CLIPTextModel.from_pretrained(name, subfolder="text_encoder", **kind)
        made.text_encoder_2 = text_encoder_2 if text_encoder_2 != () else \
            T5EncoderModel.from_pretrained(name, subfolder="text_encoder_2", **kind)
        for part in (made.text_encoder, made.text_encoder_2):
            if part is not None:
                part.requires_grad_(False)  # what a pipeline encodes is not trained
        return made

    def __call__(self, *args, **kwargs):
        import _tilewise
        return _tilewise.unknown("pictures that a pipeline makes")

    def to(self, *args, **kwargs):
        return self

    cuda = enable_model_cpu_offload = enable_sequential_cpu_offload = to

    def encode_prompt(self, prompt, prompt_2=None, device=None, num_images_per_prompt=1,
                      prompt_embeds=None, pooled_prompt_embeds=None, max_sequence_length=512,
                      lora_scale=None):
        prompts = [prompt] if isinstance(prompt, str) else prompt
        given = dict(padding="max_length", truncation=True, return_tensors="pt")
        short = self.tokenizer(prompts, max_length=77, **given).input_ids
        long = self.tokenizer_2(prompt_2 or prompts, max_length=max_sequence_length,
                                **given).input_ids
        pooled = self.text_encoder(short).pooler_output
        return self.text_encoder_2(long)[0], pooled, torch.zeros(max_sequence_length, 3)

    @staticmethod
    def _prepare_latent_image_ids(batch_size, height, width, device=None, dtype=None):
        down = torch.arange(height).reshape(height, 1, 1).expand(height, width, 1)
        across = torch.arange(width).reshape(1, width, 1).expand(height, width, 1)
        ids = torch.cat([torch.zeros(height, width, 1).long(), down, across], dim=2)
        return ids.reshape(height * width, 3).to(dtype or torch.float32)

    @staticmethod
    def _pack_latents(latents, batch_size, num_channels_latents, height, width):
        x = latents.reshape(batch_size, num_channels_latents, height // 2, 2, width // 2, 2)
        x = x.permute(0, 2, 4, 1, 3, 5)
        return x.reshape(batch_size, (height // 2) * (width // 2), num_channels_latents * 4)

    @staticmethod
    def _unpack_latents(latents, height, width, vae_scale_factor):
        batch, _, channels = latents.shape
        height = 2 * (int(height) // (vae_scale_factor * 2))
        width = 2 * (int(width) // (vae_scale_factor * 2))
        x = latents.reshape(batch, height // 2, width // 2, channels // 4, 2, 2)
        return x.permute(0, 3, 1, 4, 2, 5).reshape(batch, channels // 4, height, width)


FluxControlPipeline = FluxKontextPipeline = FluxFillPipeline = FluxControlNetPipeline = FluxPipeline
