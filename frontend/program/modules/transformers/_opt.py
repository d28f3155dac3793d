"""OPT."""

import torch
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList
from transformers import _heads, _masks
from transformers._parts import attend
from transformers._textheads import make_heads
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class OPTAttention(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        h, bias = config.hidden_size, config.enable_bias
        self.__dict__["heads"] = config.num_attention_heads
        self.__dict__["drop"] = config.attention_dropout
        self.k_proj, self.v_proj, self.q_proj, self.out_proj = [
            Linear(h, h, bias) for _ in range(4)]

    def forward(self, x, mask, causal):
        b, t, h = x.shape
        q, k, v = [p(x).reshape(b, t, self.heads, -1).transpose(1, 2)
                   for p in (self.q_proj, self.k_proj, self.v_proj)]
        return self.out_proj(attend(q, k, v, mask, causal,
                                    dropout=self.drop if self.training else 0.0))


class OPTDecoderLayer(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        c = config
        h, affine = c.hidden_size, c.layer_norm_elementwise_affine
        self.self_attn = OPTAttention(c, layer_idx)
        self.self_attn_layer_norm = LayerNorm(h, elementwise_affine=affine)
        self.fc1, self.fc2 = Linear(h, c.ffn_dim, c.enable_bias), Linear(c.ffn_dim, h,
                                                                         c.enable_bias)
        self.final_layer_norm = LayerNorm(h, elementwise_affine=affine)
        self.dropout = Dropout(c.dropout)
        self.__dict__["before"] = c.do_layer_norm_before
        self.__dict__["act"] = FUNCTIONS[c.activation_function]

    def forward(self, x, mask=None, causal=True):
        y = self.self_attn_layer_norm(x) if self.before else x
        x = x + self.dropout(self.self_attn(y, mask, causal))
        if not self.before:
            x = self.self_attn_layer_norm(x)
        y = self.final_layer_norm(x) if self.before else x
        x = x + self.dropout(self.fc2(self.act(self.fc1(y))))
        return x if self.before else self.final_layer_norm(x)


class OPTDecoder(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        width = c.word_embed_proj_dim or c.hidden_size
        self.embed_tokens = Embedding(c.vocab_size, width, c.pad_token_id)
        self.embed_positions = Embedding(c.max_position_embeddings + 2, c.hidden_size)
        other = width != c.hidden_size
        self.project_out = Linear(c.hidden_size, width, False) if other else None
        self.project_in = Linear(width, c.hidden_size, False) if other else None
        if c.do_layer_norm_before and not c._remove_final_layer_norm:
            self.final_layer_norm = LayerNorm(
                c.hidden_size, elementwise_affine=c.layer_norm_elementwise_affine)
        else:
            self.final_layer_norm = None
        self.layers = ModuleList([OPTDecoderLayer(c, i) for i in range(c.num_hidden_layers)])

    def forward(self, input_ids=None, attention_mask=None, position_ids=None, inputs_embeds=None,
                output_hidden_states=None, return_dict=None, **kwargs):
        x = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        t = x.shape[1]
        if self.project_in is not None:
            x = self.project_in(x)
        if attention_mask is None or position_ids is not None:
            places = torch.arange(t) if position_ids is None else position_ids
        else:
            places = attention_mask.long().cumsum(1) * attention_mask.long() - 1
        x = x + self.embed_positions(places + 2)
        mask, causal = _masks.causal(attention_mask, t)
        states = []
        for layer in self.layers:
            states.append(x)
            x = layer(x, mask, causal)
        if self.final_layer_norm is not None:
            x = self.final_layer_norm(x)
        if self.project_out is not None:
            x = self.project_out(x)
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


class OPTModel(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.decoder = OPTDecoder(config)
        self.post_init()

    def get_input_embeddings(self):
        return self.decoder.embed_tokens

    def set_input_embeddings(self, value):
        self.decoder.embed_tokens = value

    def forward(self, input_ids=None, attention_mask=None, head_mask=None, past_key_values=None,
                inputs_embeds=None, use_cache=None, output_attentions=None,
                output_hidden_states=None, return_dict=None, position_ids=None, **kwargs):
        return self.decoder(input_ids, attention_mask, position_ids, inputs_embeds,
                            output_hidden_states, return_dict)


def _width(config):
    return config.word_embed_proj_dim or config.hidden_size


_HEADS = make_heads(OPTModel, _width)


def heads(kind):
    return _HEADS


def part(kind, name):
    return {"DecoderLayer": OPTDecoderLayer, "Attention": OPTAttention}.get(name)
