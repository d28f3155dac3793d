"""BLOOM, Falcon and MPT: one product for queries, keys and values; positions as slopes."""

import torch
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList
from transformers import _masks
from transformers._parts import apply_rope, attend, rope
from transformers._textheads import make_heads
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


def slopes(heads, t, mask):
    """[1, heads, tokens, tokens]: how far a key is back costs score; keys behind count not."""
    i = torch.arange(t)
    far = (i.reshape(1, t) - i.reshape(t, 1)).float()
    steps = torch.tensor([2.0 ** (-8.0 * (n + 1) / heads) for n in range(heads)])
    bias = steps.reshape(1, heads, 1, 1) * far.reshape(1, 1, t, t)
    seen = (i.reshape(1, t) <= i.reshape(t, 1)).reshape(1, 1, t, t)
    keys = _masks.keys(mask)
    if keys is not None:
        seen = seen & keys
    return bias.masked_fill(seen.logical_not(), -1e30)


class BloomAttention(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["heads"], self.__dict__["drop"] = config.n_head, config.attention_dropout
        self.query_key_value, self.dense = Linear(h, 3 * h), Linear(h, h)
        self.attention_dropout = Dropout(config.attention_dropout)

    def forward(self, x, bias):
        b, t, h = x.shape
        qkv = self.query_key_value(x).reshape(b, t, self.heads, 3, h // self.heads)
        q, k, v = [p.squeeze(3).transpose(1, 2) for p in qkv.split(1, 3)]
        return self.dense(attend(q, k, v, bias.to(x.dtype), False,
                                 dropout=self.drop if self.training else 0.0))


class BloomMLP(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.dense_h_to_4h, self.dense_4h_to_h = Linear(h, 4 * h), Linear(4 * h, h)

    def forward(self, x):
        return self.dense_4h_to_h(FUNCTIONS["gelu_new"](self.dense_h_to_4h(x)))


class BloomBlock(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_epsilon
        self.input_layernorm, self.self_attention = LayerNorm(h, eps), BloomAttention(config)
        self.post_attention_layernorm, self.mlp = LayerNorm(h, eps), BloomMLP(config)
        self.drop = Dropout(config.hidden_dropout)

    def forward(self, x, bias):
        x = x + self.drop(self.self_attention(self.input_layernorm(x), bias))
        return x + self.drop(self.mlp(self.post_attention_layernorm(x)))


class _Base(PreTrainedModel):
    def forward(self, input_ids=None, past_key_values=None, attention_mask=None,
                position_ids=None, head_mask=None, inputs_embeds=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        table = self.get_input_embeddings()
        x = table(input_ids) if inputs_embeds is None else inputs_embeds
        x = self._blocks(x, attention_mask, x.shape[1])
        return made(return_dict, last_hidden_state=x)


class BloomModel(_Base):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        h, eps = config.hidden_size, config.layer_norm_epsilon
        self.word_embeddings = Embedding(config.vocab_size, h)
        self.word_embeddings_layernorm = LayerNorm(h, eps)
        self.h = ModuleList([BloomBlock(config, i) for i in range(config.n_layer)])
        self.ln_f = LayerNorm(h, eps)
        self.post_init()

    def _blocks(self, x, mask, t):
        x = self.word_embeddings_layernorm(x)
        bias = slopes(self.config.n_head, t, mask)
        for block in self.h:
            x = block(x, bias)
        return self.ln_f(x)


class FalconAttention(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        c = config
        h, a = c.hidden_size, c.num_attention_heads
        kv = c.num_kv_heads if c.new_decoder_architecture else 1 if c.multi_query else a
        own = self.__dict__
        own["sizes"], own["new"] = (a, kv, h // a), c.new_decoder_architecture
        own["alibi"], own["drop"] = c.alibi, c.attention_dropout
        self.query_key_value = Linear(h, h + 2 * kv * (h // a), c.bias)
        self.dense = Linear(h, h, c.bias)

    def forward(self, x, turns, mask, causal):
        b, t, _ = x.shape
        a, kv, d = self.sizes
        fused = self.query_key_value(x)
        if self.new:
            fused = fused.reshape(b, t, kv, a // kv + 2, d)
            q, k, v = fused.split((a // kv, 1, 1), 3)
            q, k, v = q.reshape(b, t, a, d), k.squeeze(3), v.squeeze(3)
        elif kv == a:
            q, k, v = [p.squeeze(3) for p in fused.reshape(b, t, a, 3, d).split(1, 3)]
        else:
            q, k, v = fused.reshape(b, t, a + 2, d).split((a, 1, 1), 2)
        q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        if not self.alibi:
            q, k = apply_rope(q, k, *turns)
        return self.dense(attend(q, k, v, mask, causal,
                                 dropout=self.drop if self.training else 0.0))


class FalconMLP(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, i, bias = config.hidden_size, config.ffn_hidden_size, config.bias
        self.dense_h_to_4h, self.dense_4h_to_h = Linear(h, i, bias), Linear(i, h, bias)
        self.__dict__["act"] = FUNCTIONS[config.activation]

    def forward(self, x):
        return self.dense_4h_to_h(self.act(self.dense_h_to_4h(x)))


class FalconDecoderLayer(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        c = config
        h, eps = c.hidden_size, c.layer_norm_epsilon
        self.self_attention, self.mlp = FalconAttention(c, layer_idx), FalconMLP(c)
        two = c.new_decoder_architecture and c.num_ln_in_parallel_attn in (None, 2)
        self.__dict__["two"], self.__dict__["parallel"] = two, (
            c.parallel_attn or c.new_decoder_architecture)
        if two:
            self.ln_attn, self.ln_mlp = LayerNorm(h, eps), LayerNorm(h, eps)
        else:
            self.input_layernorm = LayerNorm(h, eps)
            if not self.parallel:
                self.post_attention_layernorm = LayerNorm(h, eps)
        self.drop = Dropout(c.hidden_dropout)

    def forward(self, x, turns, mask=None, causal=True):
        if self.two:
            y, z = self.ln_attn(x), self.ln_mlp(x)
        else:
            y = z = self.input_layernorm(x)
        y = self.self_attention(y, turns, mask, causal)
        if not self.parallel:
            x = x + self.drop(y)
            return x + self.drop(self.mlp(self.post_attention_layernorm(x)))
        return x + self.drop(y + self.mlp(z))


class FalconModel(_Base):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        self.word_embeddings = Embedding(c.vocab_size, c.hidden_size)
        self.h = ModuleList([FalconDecoderLayer(c, i) for i in range(c.num_hidden_layers)])
        self.ln_f = LayerNorm(c.hidden_size, c.layer_norm_epsilon)
        self.post_init()

    def _blocks(self, x, attention_mask, t):
        c = self.config
        if c.alibi:
            mask, causal = slopes(c.num_attention_heads, t, attention_mask).to(x.dtype), False
            turns = None
        else:
            mask, causal = _masks.causal(attention_mask, t)
            turns = rope(torch.arange(t), c.head_dim, c.rope_theta, x.dtype)
        for layer in self.h:
            x = layer(x, turns, mask, causal)
        return self.ln_f(x)


class MptAttention(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h = config.d_model
        self.__dict__["heads"] = config.n_heads
        self.Wqkv, self.out_proj = Linear(h, 3 * h, False), Linear(h, h, False)

    def forward(self, x, bias):
        b, t, h = x.shape
        q, k, v = [p.reshape(b, t, self.heads, -1).transpose(1, 2)
                   for p in self.Wqkv(x).chunk(3, -1)]
        return self.out_proj(attend(q, k, v, bias.to(x.dtype), False))


class MptMLP(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, i = config.d_model, config.expansion_ratio * config.d_model
        self.up_proj, self.down_proj = Linear(h, i, False), Linear(i, h, False)

    def forward(self, x):
        return self.down_proj(FUNCTIONS["gelu"](self.up_proj(x)))


class MptBlock(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h, eps = config.d_model, config.layer_norm_epsilon
        self.norm_1, self.attn = LayerNorm(h, eps, bias=False), MptAttention(config, layer_idx)
        self.norm_2, self.ffn = LayerNorm(h, eps, bias=False), MptMLP(config)

    def forward(self, x, bias):
        x = x + self.attn(self.norm_1(x), bias)
        return x + self.ffn(self.norm_2(x))


class MptModel(_Base):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.wte = Embedding(config.vocab_size, config.d_model)
        self.blocks = ModuleList([MptBlock(config, i) for i in range(config.n_layers)])
        self.norm_f = LayerNorm(config.d_model, config.layer_norm_epsilon, bias=False)
        self.post_init()

    def _blocks(self, x, mask, t):
        bias = slopes(self.config.n_heads, t, mask)
        for block in self.blocks:
            x = block(x, bias)
        return self.norm_f(x)


_ALL = {"bloom": make_heads(BloomModel, lambda c: c.hidden_size),
        "falcon": make_heads(FalconModel, lambda c: c.hidden_size),
        "mpt": make_heads(MptModel, lambda c: c.d_model)}


def heads(kind):
    return _ALL[kind]


def part(kind, name):
    return {"bloom": {"Block": BloomBlock, "Attention": BloomAttention, "MLP": BloomMLP},
            "falcon": {"DecoderLayer": FalconDecoderLayer, "Attention": FalconAttention},
            "mpt": {"Block": MptBlock}}[kind].get(name)
