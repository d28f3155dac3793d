"""BERT, RoBERTa and ELECTRA: encoders whose layers normalise what they gave."""

import torch
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList
from transformers import _masks
from transformers._parts import attend
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel

_ROBERTA = ("roberta", "xlm-roberta", "camembert", "mpnet")


class BertEmbeddings(Module):
    def __init__(self, config, kind=None):
        Module.__init__(self)
        c = config
        kind = kind or c.model_type
        h = c.__dict__.get("embedding_size") or c.hidden_size
        self.word_embeddings = Embedding(c.vocab_size, h, c.pad_token_id)
        self.__dict__["biased"] = c.__dict__.get("position_biased_input", True)
        self.__dict__["shift"] = c.pad_token_id + 1 if kind in _ROBERTA else 0
        self.__dict__["types"] = kind != "mpnet" and c.type_vocab_size > 0
        if self.biased:
            self.position_embeddings = Embedding(c.max_position_embeddings, h)
        if self.types:
            self.token_type_embeddings = Embedding(c.type_vocab_size, h)
        self.LayerNorm = LayerNorm(h, c.layer_norm_eps)
        self.dropout = Dropout(c.hidden_dropout_prob)

    def forward(self, input_ids=None, token_type_ids=None, position_ids=None, inputs_embeds=None,
                mask=None, **kwargs):
        x = self.word_embeddings(input_ids) if inputs_embeds is None else inputs_embeds
        b, t, _ = x.shape
        if self.types:
            if token_type_ids is None:
                x = x + self.token_type_embeddings.weight[0]
            else:
                x = x + self.token_type_embeddings(token_type_ids)
        if self.biased:
            if position_ids is None:
                if self.shift and input_ids is not None:
                    # Positions of tokens that are no padding.
                    m = (input_ids != self.shift - 1).int()
                    position_ids = (m.cumsum(1) * m).long() + (self.shift - 1)
                else:
                    position_ids = torch.arange(t).unsqueeze(0) + self.shift
            x = x + self.position_embeddings(position_ids)
        return self.dropout(self.LayerNorm(x))


class BertSelfAttention(Module):
    def __init__(self, config, position_embedding_type=None, layer_idx=None):
        Module.__init__(self)
        h = config.hidden_size
        own = self.__dict__
        own["num_attention_heads"] = config.num_attention_heads
        own["attention_head_size"] = h // config.num_attention_heads
        own["all_head_size"] = h
        own["drop"] = config.attention_probs_dropout_prob
        self.query, self.key, self.value = Linear(h, h), Linear(h, h), Linear(h, h)
        self.dropout = Dropout(config.attention_probs_dropout_prob)

    def forward(self, hidden_states, attention_mask=None, causal=False, encoder_states=None,
                **kwargs):
        b, t, h = hidden_states.shape
        a = self.num_attention_heads
        source = hidden_states if encoder_states is None else encoder_states
        q = self.query(hidden_states).reshape(b, t, a, h // a).transpose(1, 2)
        k = self.key(source).reshape(b, -1, a, h // a).transpose(1, 2)
        v = self.value(source).reshape(b, -1, a, h // a).transpose(1, 2)
        return attend(q, k, v, attention_mask, causal,
                      dropout=self.drop if self.training else 0.0)


class BertSelfOutput(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.dense, self.LayerNorm = Linear(h, h), LayerNorm(h, config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states, input_tensor):
        return self.LayerNorm(self.dropout(self.dense(hidden_states)) + input_tensor)


class BertAttention(Module):
    def __init__(self, config, layer_idx=None, own=None):
        Module.__init__(self)
        self.self = (own or BertSelfAttention)(config)
        self.output = BertSelfOutput(config)

    def forward(self, hidden_states, attention_mask=None, causal=False, encoder_states=None,
                **kwargs):
        y = self.self(hidden_states, attention_mask, causal, encoder_states)
        return self.output(y, hidden_states)


class BertIntermediate(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense = Linear(config.hidden_size, config.intermediate_size)
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]

    def forward(self, hidden_states):
        return self.act(self.dense(hidden_states))


class BertOutput(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.dense = Linear(config.intermediate_size, h)
        self.LayerNorm = LayerNorm(h, config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states, input_tensor):
        return self.LayerNorm(self.dropout(self.dense(hidden_states)) + input_tensor)


class BertLayer(Module):
    def __init__(self, config, layer_idx=None):
        Module.__init__(self)
        self.attention = BertAttention(config)
        self.__dict__["cross"] = config.is_decoder and config.add_cross_attention
        if self.cross:
            self.crossattention = BertAttention(config)
        self.intermediate, self.output = BertIntermediate(config), BertOutput(config)

    def forward(self, hidden_states, attention_mask=None, causal=False, encoder_states=None,
                encoder_mask=None, **kwargs):
        x = self.attention(hidden_states, attention_mask, causal)
        if self.cross and encoder_states is not None:
            x = self.crossattention(x, encoder_mask, False, encoder_states)
        return self.output(self.intermediate(x), x)


class BertEncoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.layer = ModuleList([BertLayer(config, i) for i in range(config.num_hidden_layers)])

    def forward(self, hidden_states, attention_mask=None, causal=False, encoder_states=None,
                encoder_mask=None, states=None, **kwargs):
        x = hidden_states
        for layer in self.layer:
            if states is not None:
                states.append(x)
            x = layer(x, attention_mask, causal, encoder_states, encoder_mask)
        return x


class BertPooler(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense = Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_states):
        return self.dense(hidden_states.select(1, 0)).tanh()


class BertModel(PreTrainedModel):
    _kind = "bert"

    def __init__(self, config, add_pooling_layer=True):
        PreTrainedModel.__init__(self, config)
        kind = self._kind
        self.embeddings = BertEmbeddings(config, kind)
        h = config.hidden_size
        if kind == "electra":
            if config.embedding_size != h:
                self.embeddings_project = Linear(config.embedding_size, h)
            add_pooling_layer = False
        self.encoder = self._encoder(config)
        self.pooler = self._pooler(config) if add_pooling_layer else None
        self.post_init()

    def _encoder(self, config):
        return BertEncoder(config)

    def _pooler(self, config):
        return BertPooler(config)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None,
                encoder_hidden_states=None, encoder_attention_mask=None, past_key_values=None,
                use_cache=None, output_attentions=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        x = self.embeddings(input_ids, token_type_ids, position_ids, inputs_embeds)
        if "embeddings_project" in self._modules:
            x = self.embeddings_project(x)
        if self.config.is_decoder:
            mask, causal = _masks.causal(attention_mask, x.shape[1])
        else:
            mask, causal = _masks.keys(attention_mask), False
        wanted = output_hidden_states or (output_hidden_states is None and
                                          self.config.output_hidden_states)
        states = [] if wanted else None
        x = self.encoder(x, mask, causal, encoder_hidden_states,
                         _masks.keys(encoder_attention_mask), states)
        pooled = None if self.pooler is None else self.pooler(x)
        return made(return_dict, last_hidden_state=x, pooler_output=pooled,
                    hidden_states=tuple(states + [x]) if wanted else None)


_FOUND = {}


def heads(kind):
    if kind not in _FOUND:
        from transformers import _bert_heads
        _FOUND[kind] = _bert_heads.heads(kind)
    return _FOUND[kind]


def part(kind, name):
    return {"Embeddings": BertEmbeddings, "SelfAttention": BertSelfAttention,
            "SelfOutput": BertSelfOutput, "Attention": BertAttention,
            "Intermediate": BertIntermediate, "Output": BertOutput, "Layer": BertLayer,
            "Encoder": BertEncoder, "Pooler": BertPooler}.get(name)
