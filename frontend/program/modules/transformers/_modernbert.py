"""ModernBERT: rotary positions, gated perceptrons, windows in two layers of three."""

import torch
from torch.nn import Dropout, Embedding, Identity, LayerNorm, Linear, Module, ModuleList
from transformers import _heads, _masks
from transformers._parts import apply_rope, attend, rope
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


class _Embeddings(Module):
    def __init__(self, c):
        Module.__init__(self)
        self.tok_embeddings = Embedding(c.vocab_size, c.hidden_size, c.pad_token_id)
        self.norm = LayerNorm(c.hidden_size, c.norm_eps, bias=c.norm_bias)
        self.drop = Dropout(c.embedding_dropout)

    def forward(self, input_ids, inputs_embeds=None):
        x = self.tok_embeddings(input_ids) if inputs_embeds is None else inputs_embeds
        return self.drop(self.norm(x))


class _Attention(Module):
    def __init__(self, c):
        Module.__init__(self)
        h = c.hidden_size
        self.__dict__["heads"], self.__dict__["drop"] = (
            c.num_attention_heads, c.attention_dropout)
        self.Wqkv, self.Wo = Linear(h, 3 * h, c.attention_bias), Linear(h, h, c.attention_bias)

    def forward(self, x, turns, mask):
        b, t, h = x.shape
        qkv = self.Wqkv(x).reshape(b, t, 3, self.heads, h // self.heads)
        q, k, v = [p.squeeze(2).transpose(1, 2) for p in qkv.split(1, 2)]
        q, k = apply_rope(q, k, *turns)
        return self.Wo(attend(q, k, v, mask, False,
                              dropout=self.drop if self.training else 0.0))


class _MLP(Module):
    def __init__(self, c):
        Module.__init__(self)
        h, i = c.hidden_size, c.intermediate_size
        self.Wi, self.Wo = Linear(h, 2 * i, c.mlp_bias), Linear(i, h, c.mlp_bias)
        self.drop = Dropout(c.mlp_dropout)
        self.__dict__["act"] = FUNCTIONS[c.hidden_activation]

    def forward(self, x):
        x, gate = self.Wi(x).chunk(2, -1)
        return self.Wo(self.drop(self.act(x) * gate))


class _Layer(Module):
    def __init__(self, c, i):
        Module.__init__(self)
        h = c.hidden_size
        self.attn_norm = Identity() if i == 0 else LayerNorm(h, c.norm_eps, bias=c.norm_bias)
        self.attn = _Attention(c)
        self.mlp_norm, self.mlp = LayerNorm(h, c.norm_eps, bias=c.norm_bias), _MLP(c)
        self.__dict__["wide"] = i % c.global_attn_every_n_layers == 0

    def forward(self, x, turns, mask):
        x = x + self.attn(self.attn_norm(x), turns, mask)
        return x + self.mlp(self.mlp_norm(x))


class ModernBertModel(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        self.embeddings = _Embeddings(c)
        self.layers = ModuleList([_Layer(c, i) for i in range(c.num_hidden_layers)])
        self.final_norm = LayerNorm(c.hidden_size, c.norm_eps, bias=c.norm_bias)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, position_ids=None, inputs_embeds=None,
                output_hidden_states=None, return_dict=None, **kwargs):
        c = self.config
        x = self.embeddings(input_ids, inputs_embeds)
        t = x.shape[1]
        i = torch.arange(t)
        d = c.hidden_size // c.num_attention_heads
        wide = rope(i, d, c.global_rope_theta, x.dtype)
        near = rope(i, d, c.local_rope_theta, x.dtype)
        mask = local = _masks.keys(attention_mask)
        if t > c.local_attention // 2:
            band = ((i.reshape(t, 1) - i.reshape(1, t)).abs() <= c.local_attention // 2)
            band = band.reshape(1, 1, t, t)
            local = band if mask is None else band & mask
        for layer in self.layers:
            x = layer(x, wide if layer.wide else near, mask if layer.wide else local)
        return made(return_dict, last_hidden_state=self.final_norm(x))


class _Top(Module):
    def __init__(self, c):
        Module.__init__(self)
        h = c.hidden_size
        self.dense = Linear(h, h, c.classifier_bias)
        self.norm = LayerNorm(h, c.norm_eps, bias=c.norm_bias)
        self.__dict__["act"] = FUNCTIONS[c.classifier_activation]

    def forward(self, x):
        return self.norm(self.act(self.dense(x)))


class _Head(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.__dict__["num_labels"] = config.num_labels
        self.model, self.head = ModernBertModel(config), _Top(config)
        self.drop = Dropout(config.classifier_dropout)
        self._add(config)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, position_ids=None, inputs_embeds=None,
                labels=None, return_dict=None, **kwargs):
        x = self.model(input_ids, attention_mask, None, inputs_embeds)["last_hidden_state"]
        logits, loss = self._score(x, attention_mask, labels)
        return made(return_dict, loss=loss, logits=logits)


class ForMaskedLM(_Head):
    def _add(self, config):
        self.decoder = Linear(config.hidden_size, config.vocab_size, config.decoder_bias)

    def get_output_embeddings(self):
        return self.decoder

    def set_output_embeddings(self, value):
        self.decoder = value

    def _score(self, x, mask, labels):
        logits = self.decoder(self.head(x))
        return logits, None if labels is None else _heads.token_loss(logits, labels)


class ForSequenceClassification(_Head):
    def _add(self, config):
        self.classifier = Linear(config.hidden_size, config.num_labels)

    def _score(self, x, mask, labels):
        x = x.mean(1) if self.config.classifier_pooling == "mean" else x.select(1, 0)
        logits = self.classifier(self.drop(self.head(x)))
        return logits, None if labels is None else _heads.class_loss(self.config, logits, labels)


class ForTokenClassification(_Head):
    def _add(self, config):
        self.classifier = Linear(config.hidden_size, config.num_labels)

    def _score(self, x, mask, labels):
        logits = self.classifier(self.drop(self.head(x)))
        return logits, None if labels is None else _heads.token_loss(logits, labels)


def heads(kind):
    return {"Model": ModernBertModel, "ForMaskedLM": ForMaskedLM,
            "ForSequenceClassification": ForSequenceClassification,
            "ForTokenClassification": ForTokenClassification, "PreTrainedModel": PreTrainedModel}
