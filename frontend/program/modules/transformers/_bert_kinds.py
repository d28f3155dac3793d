"""DistilBERT, ALBERT, MPNet and DeBERTa."""

import torch
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList, Parameter
from torch.nn import functional as F
from transformers import _bert, _masks
from transformers._parts import attend
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


def _split(x, heads):
    b, t, h = x.shape
    return x.reshape(b, t, heads, h // heads).transpose(1, 2)


# ---- DistilBERT


class _DistilAttention(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.dim
        self.__dict__["heads"], self.__dict__["drop"] = config.n_heads, config.attention_dropout
        self.q_lin, self.k_lin, self.v_lin, self.out_lin = [Linear(h, h) for _ in range(4)]

    def forward(self, x, mask):
        q, k, v = [_split(p(x), self.heads) for p in (self.q_lin, self.k_lin, self.v_lin)]
        return self.out_lin(attend(q, k, v, mask, False,
                                   dropout=self.drop if self.training else 0.0))


class _FFN(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dropout = Dropout(config.dropout)
        self.lin1 = Linear(config.dim, config.hidden_dim)
        self.lin2 = Linear(config.hidden_dim, config.dim)
        self.__dict__["act"] = FUNCTIONS[config.activation]

    def forward(self, x):
        return self.dropout(self.lin2(self.act(self.lin1(x))))


class TransformerBlock(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.attention, self.sa_layer_norm = _DistilAttention(config), LayerNorm(config.dim, 1e-12)
        self.ffn, self.output_layer_norm = _FFN(config), LayerNorm(config.dim, 1e-12)

    def forward(self, x, mask=None):
        x = self.sa_layer_norm(self.attention(x, mask) + x)
        return self.output_layer_norm(self.ffn(x) + x)


class _Layers(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.layer = ModuleList([TransformerBlock(config) for _ in range(config.n_layers)])

    def forward(self, x, mask=None, states=None):
        for layer in self.layer:
            states.append(x)
            x = layer(x, mask)
        return x


class _DistilEmbeddings(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.word_embeddings = Embedding(config.vocab_size, config.dim, config.pad_token_id)
        self.position_embeddings = Embedding(config.max_position_embeddings, config.dim)
        self.LayerNorm, self.dropout = LayerNorm(config.dim, 1e-12), Dropout(config.dropout)

    def forward(self, input_ids=None, inputs_embeds=None):
        x = self.word_embeddings(input_ids) if inputs_embeds is None else inputs_embeds
        x = x + self.position_embeddings(torch.arange(x.shape[1]).unsqueeze(0))
        return self.dropout(self.LayerNorm(x))


class DistilBertModel(PreTrainedModel):
    def __init__(self, config, add_pooling_layer=False):
        PreTrainedModel.__init__(self, config)
        self.embeddings, self.transformer = _DistilEmbeddings(config), _Layers(config)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, head_mask=None, inputs_embeds=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        states = []
        x = self.transformer(self.embeddings(input_ids, inputs_embeds),
                             _masks.keys(attention_mask), states)
        wanted = output_hidden_states or (output_hidden_states is None and
                                          self.config.output_hidden_states)
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states + [x]) if wanted else None)


# ---- ALBERT: the layers of a group are one


class _AlbertAttention(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["heads"] = config.num_attention_heads
        self.__dict__["drop"] = config.attention_probs_dropout_prob
        self.query, self.key, self.value, self.dense = [Linear(h, h) for _ in range(4)]
        self.LayerNorm = LayerNorm(h, config.layer_norm_eps)
        self.output_dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask):
        q, k, v = [_split(p(x), self.heads) for p in (self.query, self.key, self.value)]
        y = attend(q, k, v, mask, False, dropout=self.drop if self.training else 0.0)
        return self.LayerNorm(x + self.output_dropout(self.dense(y)))


class AlbertLayer(Module):
    def __init__(self, config):
        Module.__init__(self)
        h, i = config.hidden_size, config.intermediate_size
        self.full_layer_layer_norm = LayerNorm(h, config.layer_norm_eps)
        self.attention = _AlbertAttention(config)
        self.ffn, self.ffn_output = Linear(h, i), Linear(i, h)
        self.__dict__["act"] = FUNCTIONS[config.hidden_act]

    def forward(self, x, mask=None):
        x = self.attention(x, mask)
        return self.full_layer_layer_norm(self.ffn_output(self.act(self.ffn(x))) + x)


class _Group(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.albert_layers = ModuleList([AlbertLayer(config)
                                         for _ in range(config.inner_group_num)])

    def forward(self, x, mask=None):
        for layer in self.albert_layers:
            x = layer(x, mask)
        return x


class _Groups(Module):
    def __init__(self, config):
        Module.__init__(self)
        c = config
        self.embedding_hidden_mapping_in = Linear(c.embedding_size, c.hidden_size)
        self.albert_layer_groups = ModuleList([_Group(c) for _ in range(c.num_hidden_groups)])
        self.__dict__["count"] = c.num_hidden_layers

    def forward(self, x, mask=None, causal=False, encoder_states=None, encoder_mask=None,
                states=None):
        x = self.embedding_hidden_mapping_in(x)
        groups = list(self.albert_layer_groups)
        for i in range(self.count):
            if states is not None:
                states.append(x)
            x = groups[i * len(groups) // self.count](x, mask)
        return x


class AlbertModel(_bert.BertModel):
    def _encoder(self, config):
        return _Groups(config)

    def _pooler(self, config):
        self.pooler_activation = torch.nn.Tanh()
        return _FirstToken(config.hidden_size, config.hidden_size)


class _FirstToken(Linear):
    def forward(self, x):
        return Linear.forward(self, x.select(1, 0)).tanh()


# ---- MPNet: positions relative to each other


def buckets(distance, bidirectional=True, count=32, furthest=128):
    """Numbers of distances: near ones each, far ones by their logarithm."""
    result = 0
    if bidirectional:
        count //= 2
        result = (distance > 0).long() * count
        distance = distance.abs()
    else:
        distance = -distance.clamp(max=0)
    exact = count // 2
    far = exact + ((distance.float().clamp(min=1) / exact).log() * (
        (count - exact) / torch.tensor(float(furthest) / exact).log())).long()
    far = far.clamp(max=count - 1)
    return torch.where(distance < exact, distance, far) + result


class _MPNetSelf(Module):
    def __init__(self, config):
        Module.__init__(self)
        h = config.hidden_size
        self.__dict__["heads"] = config.num_attention_heads
        self.__dict__["drop"] = config.attention_probs_dropout_prob
        self.q, self.k, self.v, self.o = [Linear(h, h) for _ in range(4)]

    def forward(self, x, bias):
        q, k, v = [_split(p(x), self.heads) for p in (self.q, self.k, self.v)]
        return self.o(attend(q, k, v, bias, False, dropout=self.drop if self.training else 0.0))


class _MPNetAttention(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.attn = _MPNetSelf(config)
        self.LayerNorm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, x, bias):
        return self.LayerNorm(self.dropout(self.attn(x, bias)) + x)


class _MPNetLayer(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.attention = _MPNetAttention(config)
        self.intermediate, self.output = _bert.BertIntermediate(config), _bert.BertOutput(config)

    def forward(self, x, bias):
        x = self.attention(x, bias)
        return self.output(self.intermediate(x), x)


class _MPNetEncoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.layer = ModuleList([_MPNetLayer(config) for _ in range(config.num_hidden_layers)])
        self.relative_attention_bias = Embedding(config.relative_attention_num_buckets,
                                                 config.num_attention_heads)

    def forward(self, x, mask=None, causal=False, encoder_states=None, encoder_mask=None,
                states=None):
        t = x.shape[1]
        i = torch.arange(t)
        rows = buckets(i.reshape(1, t) - i.reshape(t, 1))
        bias = self.relative_attention_bias(rows).permute(2, 0, 1).unsqueeze(0).to(x.dtype)
        if mask is not None:
            bias = bias.masked_fill(mask.logical_not(), -1e30)
        for layer in self.layer:
            if states is not None:
                states.append(x)
            x = layer(x, bias)
        return x


class MPNetModel(_bert.BertModel):
    _kind = "mpnet"

    def _encoder(self, config):
        return _MPNetEncoder(config)


# ---- DeBERTa: contents and relative positions attend to each other


class _Disentangled(Module):
    def __init__(self, config):
        Module.__init__(self)
        c = config
        h = c.hidden_size
        own = self.__dict__
        own["heads"], own["drop"] = c.num_attention_heads, c.attention_probs_dropout_prob
        own["first"] = c.model_type == "deberta"
        kinds = c.pos_att_type or []
        own["kinds"] = kinds.split("|") if isinstance(kinds, str) else list(kinds)
        own["relative"] = c.relative_attention
        own["shared"] = not self.first and c.__dict__.get("share_att_key", False)
        if self.first:
            self.in_proj = Linear(h, 3 * h, False)
            self.q_bias, self.v_bias = Parameter(torch.zeros(h)), Parameter(torch.zeros(h))
            if c.relative_attention:
                if "c2p" in self.kinds:
                    self.pos_proj = Linear(h, h, False)
                if "p2c" in self.kinds:
                    self.pos_q_proj = Linear(h, h)
        else:
            self.query_proj, self.key_proj, self.value_proj = [Linear(h, h) for _ in range(3)]
            if c.relative_attention and not self.shared:
                if "c2p" in self.kinds:
                    self.pos_key_proj = Linear(h, h)
                if "p2c" in self.kinds:
                    self.pos_query_proj = Linear(h, h)

    def _products(self, x, table):
        if self.first:
            b, t, h = x.shape
            qkv = self.in_proj(x).reshape(b, t, self.heads, 3 * h // self.heads).transpose(1, 2)
            q, k, v = qkv.chunk(3, -1)
            a = self.heads
            q = q + self.q_bias.reshape(1, a, 1, h // a)
            v = v + self.v_bias.reshape(1, a, 1, h // a)
            keys = self.pos_proj if "c2p" in self.kinds and table is not None else None
            queries = self.pos_q_proj if "p2c" in self.kinds and table is not None else None
        else:
            q, k, v = [_split(p(x), self.heads) for p in (
                self.query_proj, self.key_proj, self.value_proj)]
            keys = self.key_proj if self.shared else getattr(self, "pos_key_proj", None)
            queries = self.query_proj if self.shared else getattr(self, "pos_query_proj", None)
        return q, k, v, keys, queries

    def forward(self, x, mask=None, table=None, places=None):
        b, t, h = x.shape
        d = h // self.heads
        q, k, v, keys, queries = self._products(x, table)
        parts = 1 + len([p for p in ("c2p", "p2c") if p in self.kinds])
        scale = (d * parts) ** -0.5
        bias = None
        if self.relative and table is not None:
            index = places.reshape(1, 1, t, t).expand(b, self.heads, t, t)
            if "c2p" in self.kinds:
                far = _split(keys(table.unsqueeze(0)), self.heads)
                bias = q.matmul(far.transpose(2, 3)).gather(-1, index)
            if "p2c" in self.kinds:
                far = _split(queries(table.unsqueeze(0)), self.heads)
                one = k.matmul(far.transpose(2, 3)).gather(-1, index).transpose(2, 3)
                bias = one if bias is None else bias + one
            bias = bias * scale
        if mask is not None:
            bias = mask if bias is None else bias.masked_fill(mask.logical_not(), -1e30)
        return attend(q, k, v, bias, False, scale, dropout=self.drop if self.training else 0.0)


class _DebertaAttention(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.self, self.output = _Disentangled(config), _bert.BertSelfOutput(config)

    def forward(self, x, mask, table, places):
        return self.output(self.self(x, mask, table, places), x)


class _DebertaLayer(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.attention = _DebertaAttention(config)
        self.intermediate, self.output = _bert.BertIntermediate(config), _bert.BertOutput(config)

    def forward(self, x, mask, table, places):
        x = self.attention(x, mask, table, places)
        return self.output(self.intermediate(x), x)


class _DebertaEncoder(Module):
    def __init__(self, config):
        Module.__init__(self)
        c = config
        self.layer = ModuleList([_DebertaLayer(c) for _ in range(c.num_hidden_layers)])
        own = self.__dict__
        own["relative"], own["span"] = c.relative_attention, 0
        if c.relative_attention:
            span = c.max_relative_positions if c.max_relative_positions > 0 else \
                c.max_position_embeddings
            own["buckets"] = c.__dict__.get("position_buckets", -1)
            own["furthest"] = span
            own["span"] = self.buckets if self.buckets > 0 else span
            self.rel_embeddings = Embedding(2 * self.span, c.hidden_size)
            if "layer_norm" in c.__dict__.get("norm_rel_ebd", "none"):
                self.LayerNorm = LayerNorm(c.hidden_size, c.layer_norm_eps)

    def forward(self, x, mask=None, causal=False, encoder_states=None, encoder_mask=None,
                states=None):
        table = places = None
        if self.relative:
            table = self.rel_embeddings.weight
            if "LayerNorm" in self._modules:
                table = self.LayerNorm(table)
            t = x.shape[1]
            i = torch.arange(t)
            far = i.reshape(t, 1) - i.reshape(1, t)
            if t > self.span and self.buckets > 0:
                far = buckets(far, True, 2 * self.span, self.furthest) - self.span
            places = (far + self.span).clamp(0, 2 * self.span - 1)
        for layer in self.layer:
            if states is not None:
                states.append(x)
            x = layer(x, mask, table, places)
        return x


class DebertaModel(_bert.BertModel):
    def __init__(self, config, add_pooling_layer=False):
        _bert.BertModel.__init__(self, config, False)

    def _encoder(self, config):
        return _DebertaEncoder(config)


MODELS = {"distilbert": DistilBertModel, "albert": AlbertModel, "mpnet": MPNetModel,
          "deberta": DebertaModel, "deberta-v2": DebertaModel}
