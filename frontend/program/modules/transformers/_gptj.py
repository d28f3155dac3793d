"""GPT-J, CodeGen, GPT-Neo and GPT-NeoX."""

import torch
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList
from transformers import _masks
from transformers._parts import apply_rope, apply_rope_pairs, attend, rope
from transformers._textheads import make_heads
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


def _heads_of(x, n):
    b, t, h = x.shape
    return x.reshape(b, t, n, h // n).transpose(1, 2)


class GPTJAttention(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h = config.n_embd
        own = self.__dict__
        own["heads"], own["drop"] = config.n_head, config.attn_pdrop
        own["fused"] = config.model_type == "codegen"
        if self.fused:
            self.qkv_proj = Linear(h, 3 * h, False)
        else:
            self.k_proj, self.v_proj, self.q_proj = [Linear(h, h, False) for _ in range(3)]
        self.out_proj = Linear(h, h, False)
        self.resid_dropout = Dropout(config.resid_pdrop)

    def forward(self, hidden_states, turns, mask, causal):
        x = hidden_states
        if self.fused:
            q, k, v = self.qkv_proj(x).chunk(3, -1)
        else:
            q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        q, k, v = [_heads_of(p, self.heads) for p in (q, k, v)]
        q, k = apply_rope_pairs(q, k, *turns)
        y = attend(q, k, v, mask, causal, dropout=self.drop if self.training else 0.0)
        return self.resid_dropout(self.out_proj(y))


class GPTJMLP(Module):
    def __init__(self, intermediate_size, config):
        Module.__init__(self)
        self.fc_in = Linear(config.n_embd, intermediate_size)
        self.fc_out = Linear(intermediate_size, config.n_embd)
        self.__dict__["act"] = FUNCTIONS[config.activation_function]
        self.dropout = Dropout(config.resid_pdrop)

    def forward(self, hidden_states):
        return self.dropout(self.fc_out(self.act(self.fc_in(hidden_states))))


class GPTJBlock(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        self.ln_1 = LayerNorm(config.n_embd, config.layer_norm_epsilon)
        self.attn = GPTJAttention(config, layer_idx)
        self.mlp = GPTJMLP(config.n_inner or 4 * config.n_embd, config)

    def forward(self, hidden_states, turns, mask=None, causal=True):
        y = self.ln_1(hidden_states)
        return hidden_states + self.attn(y, turns, mask, causal) + self.mlp(y)


class _Model(PreTrainedModel):
    """What the four have in common: embeddings, blocks, one normalisation."""

    def _embed(self, input_ids, inputs_embeds):
        table = self.get_input_embeddings()
        return table(input_ids) if inputs_embeds is None else inputs_embeds

    def forward(self, input_ids=None, past_key_values=None, attention_mask=None,
                token_type_ids=None, position_ids=None, head_mask=None, inputs_embeds=None,
                use_cache=None, output_attentions=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        x = self._embed(input_ids, inputs_embeds)
        t = x.shape[1]
        positions = torch.arange(t) if position_ids is None else position_ids
        x, states = self._blocks(x, positions, attention_mask, t)
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


class GPTJModel(_Model):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.wte = Embedding(config.vocab_size, config.n_embd)
        self.drop = Dropout(config.embd_pdrop)
        self.h = ModuleList([GPTJBlock(config, i) for i in range(config.n_layer)])
        self.ln_f = LayerNorm(config.n_embd, config.layer_norm_epsilon)
        self.post_init()

    def _blocks(self, x, positions, attention_mask, t):
        c = self.config
        x = self.drop(x)
        turns = rope(positions, c.rotary_dim or c.n_embd // c.n_head, 10000.0, x.dtype)
        mask, causal = _masks.causal(attention_mask, t)
        states = []
        for block in self.h:
            states.append(x)
            x = block(x, turns, mask, causal)
        return self.ln_f(x), states


class GPTNeoSelfAttention(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["heads"], self.__dict__["drop"] = config.num_heads, config.attention_dropout
        self.k_proj, self.v_proj, self.q_proj = [Linear(h, h, False) for _ in range(3)]
        self.out_proj = Linear(h, h)
        self.resid_dropout = Dropout(config.resid_dropout)

    def forward(self, x, mask, causal):
        q, k, v = [_heads_of(p(x), self.heads) for p in (self.q_proj, self.k_proj, self.v_proj)]
        y = attend(q, k, v, mask, causal, 1.0, dropout=self.drop if self.training else 0.0)
        return self.resid_dropout(self.out_proj(y))


class GPTNeoAttention(Module):
    def __init__(self, config, layer_id=0):
        Module.__init__(self)
        self.__dict__["attention_type"] = config.attention_layers[layer_id]
        self.attention = GPTNeoSelfAttention(config)

    def forward(self, x, mask, causal):
        return self.attention(x, mask, causal)


class GPTNeoMLP(Module):
    def __init__(self, intermediate_size, config):
        Module.__init__(self)
        self.c_fc = Linear(config.hidden_size, intermediate_size)
        self.c_proj = Linear(intermediate_size, config.hidden_size)
        self.__dict__["act"] = FUNCTIONS[config.activation_function]
        self.dropout = Dropout(config.resid_dropout)

    def forward(self, x):
        return self.dropout(self.c_proj(self.act(self.c_fc(x))))


class GPTNeoBlock(Module):
    def __init__(self, config, layer_id=0):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_epsilon
        self.ln_1, self.attn = LayerNorm(h, eps), GPTNeoAttention(config, layer_id)
        self.ln_2, self.mlp = LayerNorm(h, eps), GPTNeoMLP(config.intermediate_size or 4 * h,
                                                            config)

    def forward(self, x, mask=None, causal=True):
        x = x + self.attn(self.ln_1(x), mask, causal)
        return x + self.mlp(self.ln_2(x))


class GPTNeoModel(_Model):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        self.wte = Embedding(c.vocab_size, c.hidden_size)
        self.wpe = Embedding(c.max_position_embeddings, c.hidden_size)
        self.drop = Dropout(c.embed_dropout)
        self.h = ModuleList([GPTNeoBlock(c, i) for i in range(c.num_layers)])
        self.ln_f = LayerNorm(c.hidden_size, c.layer_norm_epsilon)
        self.post_init()

    def _blocks(self, x, positions, attention_mask, t):
        x = self.drop(x + self.wpe(positions))
        full = _masks.causal(attention_mask, t)
        near = _masks.causal(attention_mask, t, self.config.window_size)
        states = []
        for block in self.h:
            states.append(x)
            x = block(x, *(near if block.attn.attention_type == "local" else full))
        return self.ln_f(x), states


class GPTNeoXAttention(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h, bias = config.hidden_size, config.attention_bias
        self.__dict__["heads"] = config.num_attention_heads
        self.__dict__["drop"] = config.attention_dropout
        self.query_key_value, self.dense = Linear(h, 3 * h, bias), Linear(h, h, bias)

    def forward(self, x, turns, mask, causal):
        b, t, h = x.shape
        qkv = self.query_key_value(x).reshape(b, t, self.heads, 3 * h // self.heads)
        q, k, v = qkv.transpose(1, 2).chunk(3, -1)
        q, k = apply_rope(q, k, *turns)
        return self.dense(attend(q, k, v, mask, causal,
                                 dropout=self.drop if self.training else 0.0))


class GPTNeoXMLP(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense_h_to_4h = Linear(config.hidden_size, config.intermediate_size)
        self.dense_4h_to_h = Linear(config.intermediate_size, config.hidden_size)
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]

    def forward(self, x):
        return self.dense_4h_to_h(self.act(self.dense_h_to_4h(x)))


class GPTNeoXLayer(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h, eps = config.hidden_size, config.layer_norm_eps
        self.__dict__["parallel"] = config.use_parallel_residual
        self.input_layernorm = LayerNorm(h, eps)
        self.post_attention_layernorm = LayerNorm(h, eps)
        self.attention, self.mlp = GPTNeoXAttention(config, layer_idx), GPTNeoXMLP(config)
        self.drop = Dropout(config.hidden_dropout)

    def forward(self, x, turns, mask=None, causal=True):
        y = self.drop(self.attention(self.input_layernorm(x), turns, mask, causal))
        if self.parallel:
            return x + y + self.drop(self.mlp(self.post_attention_layernorm(x)))
        x = x + y
        return x + self.drop(self.mlp(self.post_attention_layernorm(x)))


class GPTNeoXModel(_Model):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        self.embed_in = Embedding(c.vocab_size, c.hidden_size)
        self.emb_dropout = Dropout(c.hidden_dropout)
        self.layers = ModuleList([GPTNeoXLayer(c, i) for i in range(c.num_hidden_layers)])
        self.final_layer_norm = LayerNorm(c.hidden_size, c.layer_norm_eps)
        self.post_init()

    def _blocks(self, x, positions, attention_mask, t):
        c = self.config
        x = self.emb_dropout(x)
        dims = int(c.hidden_size // c.num_attention_heads * c.rotary_pct)
        turns = rope(positions, dims, float(c.rotary_emb_base), x.dtype)
        mask, causal = _masks.causal(attention_mask, t)
        states = []
        for layer in self.layers:
            states.append(x)
            x = layer(x, turns, mask, causal)
        return self.final_layer_norm(x), states


_J = make_heads(GPTJModel, lambda c: c.n_embd, head_bias=True)
_NEO = make_heads(GPTNeoModel, lambda c: c.hidden_size)
_NEOX = make_heads(GPTNeoXModel, lambda c: c.hidden_size, head="embed_out")
_ALL = {"gptj": _J, "codegen": _J, "gpt_neo": _NEO, "gpt_neox": _NEOX}
_PARTS = {"gptj": {"Block": GPTJBlock, "Attention": GPTJAttention},
          "gpt_neo": {"Block": GPTNeoBlock, "Attention": GPTNeoAttention},
          "gpt_neox": {"Layer": GPTNeoXLayer, "Attention": GPTNeoXAttention}}


def heads(kind):
    return _ALL[kind]


def part(kind, name):
    return _PARTS.get(kind, {}).get(name)
