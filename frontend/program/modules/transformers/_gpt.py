"""GPT, GPT-2 and GPTBigCode: learned positions, products of Conv1D."""

import torch
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList
from transformers import _masks
from transformers._parts import attend
from transformers._textheads import make_heads
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel
from transformers.pytorch_utils import Conv1D


class GPT2Attention(Module):
    def __init__(self, config, is_cross_attention=False, layer_idx=None):
        Module.__init__(self)
        c = config
        own = self.__dict__
        own["heads"], own["width"], own["cross"] = c.n_head, c.n_embd, is_cross_attention
        own["drop"] = c.attn_pdrop
        own["single"] = c.model_type == "gpt_bigcode" and c.multi_query
        h = c.n_embd
        if c.model_type == "gpt_bigcode":
            kv = h // c.n_head if c.multi_query else h
            self.c_attn, self.c_proj = Linear(h, h + 2 * kv), Linear(h, h)
        else:
            if is_cross_attention:
                self.q_attn = Conv1D(h, h)
            self.c_attn, self.c_proj = Conv1D((2 if is_cross_attention else 3) * h, h), Conv1D(h, h)
        self.resid_dropout = Dropout(c.resid_pdrop)

    def forward(self, hidden_states, attention_mask=None, causal=True, encoder_states=None):
        x, h, a = hidden_states, self.width, self.heads
        d = h // a
        if self.cross:
            q = self.q_attn(x)
            k, v = self.c_attn(encoder_states).split(h, -1)
            causal = False
        else:
            kv = d if self.single else h
            q, k, v = self.c_attn(x).split((h, kv, kv), -1)
        q, k, v = [p.reshape(p.shape[0], p.shape[1], -1, d).transpose(1, 2) for p in (q, k, v)]
        y = attend(q, k, v, attention_mask, causal,
                   dropout=self.drop if self.training else 0.0)
        return self.resid_dropout(self.c_proj(y))


class GPT2MLP(Module):
    def __init__(self, intermediate_size, config):
        Module.__init__(self)
        h, i = config.n_embd, intermediate_size
        if config.model_type == "gpt_bigcode":
            self.c_fc, self.c_proj = Linear(h, i), Linear(i, h)
        else:
            self.c_fc, self.c_proj = Conv1D(i, h), Conv1D(h, i)
        name = config.__dict__.get("activation_function") or "gelu_new"
        self.__dict__["act"] = FUNCTIONS[name]
        self.dropout = Dropout(config.resid_pdrop)

    def forward(self, hidden_states):
        return self.dropout(self.c_proj(self.act(self.c_fc(hidden_states))))


class GPT2Block(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h, eps = config.n_embd, config.layer_norm_epsilon
        self.ln_1 = LayerNorm(h, eps)
        self.attn = GPT2Attention(config, layer_idx=layer_idx)
        self.ln_2 = LayerNorm(h, eps)
        cross = config.add_cross_attention
        self.__dict__["first"] = config.model_type == "openai-gpt"
        self.__dict__["has_cross"] = cross
        if cross:
            self.crossattention = GPT2Attention(config, True, layer_idx)
            self.ln_cross_attn = LayerNorm(h, eps)
        self.mlp = GPT2MLP(config.__dict__.get("n_inner") or 4 * h, config)

    def forward(self, hidden_states, attention_mask=None, causal=True, encoder_states=None,
                encoder_mask=None):
        x = hidden_states
        if self.first:
            x = self.ln_1(x + self.attn(x, attention_mask, causal))
            return self.ln_2(x + self.mlp(x))
        x = x + self.attn(self.ln_1(x), attention_mask, causal)
        if self.has_cross and encoder_states is not None:
            x = x + self.crossattention(self.ln_cross_attn(x), encoder_mask, False,
                                        encoder_states)
        return x + self.mlp(self.ln_2(x))


class GPT2Model(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        first = c.model_type == "openai-gpt"
        self.__dict__["embed_dim"] = c.n_embd
        if first:
            self.tokens_embed = Embedding(c.vocab_size, c.n_embd)
            self.positions_embed = Embedding(c.n_positions, c.n_embd)
        else:
            self.wte = Embedding(c.vocab_size, c.n_embd)
            self.wpe = Embedding(c.n_positions, c.n_embd)
        self.drop = Dropout(c.embd_pdrop)
        self.h = ModuleList([GPT2Block(c, i) for i in range(c.n_layer)])
        if not first:
            self.ln_f = LayerNorm(c.n_embd, c.layer_norm_epsilon)
        self.__dict__["first"] = first
        self.post_init()

    def get_input_embeddings(self):
        return self.tokens_embed if self.first else self.wte

    def forward(self, input_ids=None, past_key_values=None, attention_mask=None,
                token_type_ids=None, position_ids=None, head_mask=None, inputs_embeds=None,
                encoder_hidden_states=None, encoder_attention_mask=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        table, places = (self.tokens_embed, self.positions_embed) if self.first else (
            self.wte, self.wpe)
        if input_ids is not None and input_ids.dim() > 2:
            input_ids = input_ids.reshape(-1, input_ids.shape[-1])
        x = table(input_ids) if inputs_embeds is None else inputs_embeds
        t = x.shape[1]
        positions = torch.arange(t).unsqueeze(0) if position_ids is None else position_ids
        x = x + places(positions)
        if token_type_ids is not None:
            x = x + table(token_type_ids)
        x = self.drop(x)
        mask, causal = _masks.causal(attention_mask, t)
        cross = _masks.keys(encoder_attention_mask)
        states = [x]
        for block in self.h:
            x = block(x, mask, causal, encoder_hidden_states, cross)
            states.append(x)
        if not self.first:
            x = self.ln_f(x)
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states[:-1] + [x]) if output_hidden_states else None)


_HEADS = make_heads(GPT2Model, lambda c: c.n_embd, answer_base="transformer")


class GPT2DoubleHeadsModel(_HEADS["LMHeadModel"]):
    pass


_HEADS["DoubleHeadsModel"] = GPT2DoubleHeadsModel


def heads(kind):
    return _HEADS


def part(kind, name):
    return {"Block": GPT2Block, "Attention": GPT2Attention, "MLP": GPT2MLP}.get(name)
