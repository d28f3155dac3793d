"""Attention over keys and values that are kept in few numbers, as in DeepSeek V2 and V3."""

import torch
from torch.nn import Linear, Module
from transformers._parts import RMSNorm, apply_rope, attend


class LatentAttention(Module):
    def __init__(self, config, layer_idx=0):
        Module.__init__(self)
        c = config
        h, a, bias = c.hidden_size, c.num_attention_heads, c.attention_bias
        nope, turned = c.qk_nope_head_dim, c.qk_rope_head_dim
        own = self.__dict__
        own["sizes"] = a, nope, turned, c.v_head_dim, c.kv_lora_rank
        own["few"], own["attention_dropout"] = c.q_lora_rank, c.attention_dropout
        if c.q_lora_rank is None:
            self.q_proj = Linear(h, a * (nope + turned), False)
        else:
            self.q_a_proj = Linear(h, c.q_lora_rank, bias)
            self.q_a_layernorm = RMSNorm(c.q_lora_rank)
            self.q_b_proj = Linear(c.q_lora_rank, a * (nope + turned), False)
        self.kv_a_proj_with_mqa = Linear(h, c.kv_lora_rank + turned, bias)
        self.kv_a_layernorm = RMSNorm(c.kv_lora_rank)
        self.kv_b_proj = Linear(c.kv_lora_rank, a * (nope + c.v_head_dim), False)
        self.o_proj = Linear(a * c.v_head_dim, h, bias)

    def forward(self, hidden_states, position_embeddings=None, attention_mask=None, causal=True,
                **kwargs):
        x = hidden_states
        b, t, _ = x.shape
        a, nope, turned, v_dim, rank = self.sizes
        q = self.q_proj(x) if self.few is None else self.q_b_proj(
            self.q_a_layernorm(self.q_a_proj(x)))
        q = q.reshape(b, t, a, nope + turned).transpose(1, 2)
        q_nope, q_turned = q.split((nope, turned), -1)
        latent, k_turned = self.kv_a_proj_with_mqa(x).split((rank, turned), -1)
        kv = self.kv_b_proj(self.kv_a_layernorm(latent))
        kv = kv.reshape(b, t, a, nope + v_dim).transpose(1, 2)
        k_nope, v = kv.split((nope, v_dim), -1)
        k_turned = k_turned.reshape(b, 1, t, turned)
        q_turned, k_turned = apply_rope(q_turned, k_turned, *position_embeddings)
        q = torch.cat([q_nope, q_turned], -1)
        k = torch.cat([k_nope, k_turned.expand(b, a, t, turned)], -1)
        if v_dim < nope + turned:
            # One width for all, as products of attention are made.
            v = torch.nn.functional.pad(v, (0, nope + turned - v_dim))
        y = attend(q, k, v, attention_mask, causal, (nope + turned) ** -0.5)
        if v_dim < nope + turned:
            y = y.reshape(b, t, a, nope + turned).narrow(-1, 0, v_dim).reshape(b, t, a * v_dim)
        return self.o_proj(y), None
