"""T5, mT5 and UMT5: encoders and decoders whose positions are relative."""

import torch
from torch.nn import Dropout, Embedding, Linear, Module, ModuleList
from transformers import _heads, _masks
from transformers._bert_kinds import buckets
from transformers._parts import RMSNorm, attend
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel

T5LayerNorm = RMSNorm


class T5Attention(Module):
    def __init__(self, config, has_relative_attention_bias=False, layer_idx=None,
                 is_decoder=False):
        Module.__init__(self)
        c = config
        inner = c.num_heads * c.d_kv
        self.q, self.k, self.v = [Linear(c.d_model, inner, False) for _ in range(3)]
        self.o = Linear(inner, c.d_model, False)
        own = self.__dict__
        own["config"], own["heads"], own["drop"] = c, c.num_heads, c.dropout_rate
        own["has_relative_attention_bias"], own["both"] = (
            has_relative_attention_bias, not is_decoder)
        if has_relative_attention_bias:
            self.relative_attention_bias = Embedding(c.relative_attention_num_buckets, c.num_heads)

    def bias(self, t, dtype):
        c = self.config
        i = torch.arange(t)
        far = i.reshape(1, t) - i.reshape(t, 1)
        rows = buckets(far, self.both, c.relative_attention_num_buckets,
                       c.relative_attention_max_distance)
        return self.relative_attention_bias(rows).permute(2, 0, 1).unsqueeze(0).to(dtype)

    def forward(self, x, bias=None, source=None):
        b, t, _ = x.shape
        source = x if source is None else source
        a = self.heads
        q = self.q(x).reshape(b, t, a, -1).transpose(1, 2)
        k = self.k(source).reshape(b, source.shape[1], a, -1).transpose(1, 2)
        v = self.v(source).reshape(b, source.shape[1], a, -1).transpose(1, 2)
        y = attend(q, k, v, bias, False, 1.0, dropout=self.drop if self.training else 0.0)
        return self.o(y)


class _Dense(Module):
    def __init__(self, config):
        Module.__init__(self)
        d, f = config.d_model, config.d_ff
        self.__dict__["gated"] = config.is_gated_act
        if config.is_gated_act:
            self.wi_0, self.wi_1 = Linear(d, f, False), Linear(d, f, False)
        else:
            self.wi = Linear(d, f, False)
        self.wo = Linear(f, d, False)
        self.dropout = Dropout(config.dropout_rate)
        self.__dict__["act"] = FUNCTIONS[config.dense_act_fn]

    def forward(self, x):
        x = self.act(self.wi_0(x)) * self.wi_1(x) if self.gated else self.act(self.wi(x))
        return self.wo(self.dropout(x))


class T5LayerFF(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.DenseReluDense = _Dense(config)
        self.layer_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.dropout = Dropout(config.dropout_rate)

    def forward(self, x):
        return x + self.dropout(self.DenseReluDense(self.layer_norm(x)))


class _Attend(Module):
    def __init__(self, config, name, relative, is_decoder):
        Module.__init__(self)
        setattr(self, name, T5Attention(config, relative, None, is_decoder))
        self.layer_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.dropout = Dropout(config.dropout_rate)
        self.__dict__["name"] = name

    def forward(self, x, bias=None, source=None):
        y = getattr(self, self.name)(self.layer_norm(x), bias, source)
        return x + self.dropout(y)


class T5Block(Module):
    def __init__(self, config, relative=False, is_decoder=False):
        Module.__init__(self)
        layers = [_Attend(config, "SelfAttention", relative, is_decoder)]
        if is_decoder:
            layers.append(_Attend(config, "EncDecAttention", False, True))
        layers.append(T5LayerFF(config))
        self.layer = ModuleList(layers)

    def forward(self, x, bias=None, source=None, source_mask=None):
        layers = self.layer._all()
        x = layers[0](x, bias)
        if len(layers) == 3:
            x = layers[1](x, source_mask, source)
        return layers[-1](x)


class T5Stack(PreTrainedModel):
    def __init__(self, config, embed_tokens=None, is_decoder=False):
        PreTrainedModel.__init__(self, config)
        c = config
        self.embed_tokens = embed_tokens
        every = c.model_type == "umt5"
        n = c.num_decoder_layers if is_decoder else c.num_layers
        self.block = ModuleList([T5Block(c, every or i == 0, is_decoder) for i in range(n)])
        self.final_layer_norm = RMSNorm(c.d_model, c.layer_norm_epsilon)
        self.dropout = Dropout(c.dropout_rate)
        self.__dict__["is_decoder"], self.__dict__["every"] = is_decoder, every

    def forward(self, input_ids=None, attention_mask=None, encoder_hidden_states=None,
                encoder_attention_mask=None, inputs_embeds=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        x = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        t = x.shape[1]
        x = self.dropout(x)
        if self.is_decoder:
            mask, causal = _masks.causal(attention_mask, t)
            if causal:
                i = torch.arange(t)
                mask = (i.reshape(1, t) <= i.reshape(t, 1)).reshape(1, 1, t, t)
        else:
            mask = _masks.keys(attention_mask)
        cross = _masks.keys(encoder_attention_mask)
        bias, states = None, []
        for block in self.block:
            if bias is None or self.every:
                bias = block.layer[0].SelfAttention.bias(t, x.dtype)
                if mask is not None:
                    bias = bias.masked_fill(mask.logical_not(), -1e9)
            states.append(x)
            x = block(x, bias, encoder_hidden_states, cross)
        x = self.dropout(self.final_layer_norm(x))
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


def shift_right(labels, config):
    """What the decoder is given: a start, then the labels without the last."""
    start = config.decoder_start_token_id
    if start is None:
        start = config.pad_token_id
    n, t = labels.shape
    moved = torch.nn.functional.pad(labels.narrow(1, 0, t - 1), (1, 0), value=start or 0)
    return moved.masked_fill(moved == -100, config.pad_token_id or 0)


class T5Model(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.shared = Embedding(config.vocab_size, config.d_model)
        self.encoder = T5Stack(config, self.shared)
        self.decoder = T5Stack(config, self.shared, True)
        self.post_init()

    @property
    def base_model(self):
        return self

    def get_encoder(self):
        return self.encoder

    def get_decoder(self):
        return self.decoder

    def set_input_embeddings(self, value):
        self.shared = value
        self.encoder.embed_tokens = value
        if "decoder" in self._modules:
            self.decoder.embed_tokens = value

    def _shift_right(self, input_ids):
        return shift_right(input_ids, self.config)

    def prepare_decoder_input_ids_from_labels(self, labels):
        return shift_right(labels, self.config)

    def _states(self, input_ids, attention_mask, decoder_input_ids, decoder_attention_mask,
                encoder_outputs, inputs_embeds):
        if encoder_outputs is None:
            encoder_outputs = self.encoder(input_ids, attention_mask,
                                           inputs_embeds=inputs_embeds)
        source = encoder_outputs[0]
        out = self.decoder(decoder_input_ids, decoder_attention_mask, source, attention_mask)
        return out["last_hidden_state"], source

    def forward(self, input_ids=None, attention_mask=None, decoder_input_ids=None,
                decoder_attention_mask=None, head_mask=None, decoder_head_mask=None,
                cross_attn_head_mask=None, encoder_outputs=None, past_key_values=None,
                inputs_embeds=None, decoder_inputs_embeds=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        x, source = self._states(input_ids, attention_mask, decoder_input_ids,
                                 decoder_attention_mask, encoder_outputs, inputs_embeds)
        return made(return_dict, last_hidden_state=x, encoder_last_hidden_state=source)


class T5ForConditionalGeneration(T5Model):
    def __init__(self, config):
        T5Model.__init__(self, config)
        self.lm_head = Linear(config.d_model, config.vocab_size, False)
        self.__dict__["model_dim"] = config.d_model
        self.tie_weights()

    def forward(self, input_ids=None, attention_mask=None, decoder_input_ids=None,
                decoder_attention_mask=None, head_mask=None, decoder_head_mask=None,
                cross_attn_head_mask=None, encoder_outputs=None, past_key_values=None,
                inputs_embeds=None, decoder_inputs_embeds=None, labels=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        if decoder_input_ids is None:
            # Without targets a forward pass has as many of them as there are inputs.
            decoder_input_ids = input_ids if labels is None else shift_right(labels, self.config)
        x, source = self._states(input_ids, attention_mask, decoder_input_ids,
                                 decoder_attention_mask, encoder_outputs, inputs_embeds)
        if self.config.tie_word_embeddings:
            x = x * self.model_dim ** -0.5
        logits = self.lm_head(x)
        loss = None if labels is None else _heads.token_loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits, encoder_last_hidden_state=source)


class T5EncoderModel(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.shared = Embedding(config.vocab_size, config.d_model)
        self.encoder = T5Stack(config, self.shared)
        self.post_init()

    @property
    def base_model(self):
        return self

    def forward(self, input_ids=None, attention_mask=None, head_mask=None, inputs_embeds=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        return self.encoder(input_ids, attention_mask, inputs_embeds=inputs_embeds,
                            output_hidden_states=output_hidden_states, return_dict=return_dict)


class ClassificationHead(Module):
    def __init__(self, width, labels, rate):
        Module.__init__(self)
        self.dense, self.dropout = Linear(width, width), Dropout(rate)
        self.out_proj = Linear(width, labels)

    def forward(self, x):
        return self.out_proj(self.dropout(self.dense(self.dropout(x)).tanh()))


class T5ForSequenceClassification(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.transformer = make(self._kind, "Model")(config)
        self.classification_head = ClassificationHead(config.d_model, config.num_labels,
                                                      config.classifier_dropout)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, labels=None, return_dict=None,
                **kwargs):
        out = self.transformer(input_ids, attention_mask, shift_right(input_ids, self.config))
        x = out["last_hidden_state"]
        logits = self.classification_head(x.select(1, x.shape[1] - 1))
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


def heads(kind):
    return {"Model": T5Model, "ForConditionalGeneration": T5ForConditionalGeneration,
            "EncoderModel": T5EncoderModel, "PreTrainedModel": PreTrainedModel,
            "ForSequenceClassification": T5ForSequenceClassification}


def part(kind, name):
    return {"Block": T5Block, "Stack": T5Stack, "Attention": T5Attention,
            "LayerNorm": RMSNorm, "LayerFF": T5LayerFF}.get(name)
