"""BART, mBART, Pegasus, Marian, M2M-100 and Whisper."""

import torch
from torch.nn import Conv1d, Dropout, Embedding, LayerNorm, Linear, Module, ModuleList
from torch.nn import functional as F
from transformers import _heads, _masks
from transformers._parts import attend
from transformers._t5 import ClassificationHead, shift_right
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel

_BEFORE = ("mbart", "pegasus", "m2m_100", "whisper")  # normalise what goes into a layer
_LEARNED = ("bart", "mbart")


class BartAttention(Module):
    def __init__(self, config, heads, dropout=0.0):
        Module.__init__(self)
        d = config.d_model
        self.__dict__["heads"], self.__dict__["drop"] = heads, dropout
        self.k_proj = Linear(d, d, config.model_type != "whisper")
        self.v_proj, self.q_proj, self.out_proj = [Linear(d, d) for _ in range(3)]

    def forward(self, x, mask=None, causal=False, source=None):
        b, t, d = x.shape
        source = x if source is None else source
        a = self.heads
        q = self.q_proj(x).reshape(b, t, a, -1).transpose(1, 2)
        k = self.k_proj(source).reshape(b, source.shape[1], a, -1).transpose(1, 2)
        v = self.v_proj(source).reshape(b, source.shape[1], a, -1).transpose(1, 2)
        return self.out_proj(attend(q, k, v, mask, causal,
                                    dropout=self.drop if self.training else 0.0))


class BartLayer(Module):
    def __init__(self, config, heads, width, is_decoder):
        Module.__init__(self)
        c = config
        d = c.d_model
        own = self.__dict__
        own["before"], own["is_decoder"] = c.model_type in _BEFORE, is_decoder
        own["act"] = FUNCTIONS[c.activation_function]
        own["rate"] = c.dropout
        self.self_attn = BartAttention(c, heads, c.attention_dropout)
        self.self_attn_layer_norm = LayerNorm(d)
        if is_decoder:
            self.encoder_attn = BartAttention(c, heads, c.attention_dropout)
            self.encoder_attn_layer_norm = LayerNorm(d)
        self.fc1, self.fc2 = Linear(d, width), Linear(width, d)
        self.final_layer_norm = LayerNorm(d)

    def _around(self, norm, function, x):
        y = F.dropout(function(norm(x) if self.before else x), self.rate, self.training)
        x = x + y
        return x if self.before else norm(x)

    def forward(self, x, mask=None, causal=False, source=None, source_mask=None):
        x = self._around(self.self_attn_layer_norm, lambda y: self.self_attn(y, mask, causal), x)
        if self.is_decoder and source is not None:
            x = self._around(self.encoder_attn_layer_norm,
                             lambda y: self.encoder_attn(y, source_mask, False, source), x)
        return self._around(self.final_layer_norm,
                            lambda y: self.fc2(self.act(self.fc1(y))), x)


class _Stack(PreTrainedModel):
    """An encoder or a decoder."""

    def __init__(self, config, embed_tokens=None, is_decoder=False):
        PreTrainedModel.__init__(self, config)
        c, kind = config, config.model_type
        d = c.d_model
        own = self.__dict__
        own["is_decoder"], own["kind"] = is_decoder, kind
        own["embed_scale"] = d ** 0.5 if c.scale_embedding else None
        own["rate"] = c.dropout
        side = "decoder" if is_decoder else "encoder"
        if kind == "whisper" and not is_decoder:
            self.conv1 = Conv1d(c.num_mel_bins, d, 3, padding=1)
            self.conv2 = Conv1d(d, d, 3, stride=2, padding=1)
        else:
            self.embed_tokens = embed_tokens
        self._positions(c, kind, d)
        heads, width = c.__dict__[side + "_attention_heads"], c.__dict__[side + "_ffn_dim"]
        self.layers = ModuleList([BartLayer(c, heads, width, is_decoder)
                                  for _ in range(c.__dict__[side + "_layers"])])
        if kind in _LEARNED:
            self.layernorm_embedding = LayerNorm(d)
        if kind in _BEFORE:
            self.layer_norm = LayerNorm(d)

    def _positions(self, c, kind, d):
        if kind == "whisper":
            n = c.max_target_positions if self.is_decoder else c.max_source_positions
            self.embed_positions = Embedding(n, d)
            if not self.is_decoder:
                self.embed_positions.weight.requires_grad_(False)
        elif kind in _LEARNED:
            self.embed_positions = Embedding(c.max_position_embeddings + 2, d)
        elif kind == "m2m_100":
            self.register_buffer("positions", torch.zeros(c.max_position_embeddings + 2, d),
                                 False)
        else:
            self.embed_positions = Embedding(c.max_position_embeddings, d)
            self.embed_positions.weight.requires_grad_(False)

    def _embed(self, input_ids, inputs_embeds, features):
        if features is not None:
            x = F.gelu(self.conv2(F.gelu(self.conv1(features)))).permute(0, 2, 1)
            return x + self.embed_positions.weight
        x = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        if self.embed_scale is not None:
            x = x * self.embed_scale
        t = x.shape[1]
        first = 2 if self.kind in _LEARNED + ("m2m_100",) else 0
        table = self.positions if self.kind == "m2m_100" else self.embed_positions.weight
        return x + table.narrow(0, first, t).to(x.dtype)

    def forward(self, input_ids=None, attention_mask=None, encoder_hidden_states=None,
                encoder_attention_mask=None, inputs_embeds=None, features=None,
                output_hidden_states=None, return_dict=None, **kwargs):
        x = self._embed(input_ids, inputs_embeds, features)
        if self.kind in _LEARNED:
            x = self.layernorm_embedding(x)
        x = F.dropout(x, self.rate, self.training)
        if self.is_decoder:
            mask, causal = _masks.causal(attention_mask, x.shape[1])
        else:
            mask, causal = _masks.keys(attention_mask), False
        cross = _masks.keys(encoder_attention_mask)
        states = []
        for layer in self.layers:
            states.append(x)
            x = layer(x, mask, causal, encoder_hidden_states, cross)
        if self.kind in _BEFORE:
            x = self.layer_norm(x)
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states + [x]) if output_hidden_states else None)


class _Encoder(_Stack):
    def forward(self, input_ids=None, attention_mask=None, **kwargs):
        if self.kind == "whisper":
            return _Stack.forward(self, features=input_ids)
        return _Stack.forward(self, input_ids, attention_mask, **kwargs)


class BartModel(PreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c = config
        speech = c.model_type == "whisper"
        table = Embedding(c.vocab_size, c.d_model, c.pad_token_id)
        if not speech:
            self.shared = table
        self.encoder = _Encoder(c, None if speech else table)
        self.decoder = _Stack(c, table, True)
        self.post_init()

    def get_encoder(self):
        return self.encoder

    def get_decoder(self):
        return self.decoder

    def get_input_embeddings(self):
        return self.decoder.embed_tokens

    def set_input_embeddings(self, value):
        if "shared" in self._modules:
            self.shared = value
            self.encoder.embed_tokens = value
        self.decoder.embed_tokens = value

    def forward(self, input_ids=None, attention_mask=None, decoder_input_ids=None,
                decoder_attention_mask=None, head_mask=None, decoder_head_mask=None,
                cross_attn_head_mask=None, encoder_outputs=None, past_key_values=None,
                inputs_embeds=None, decoder_inputs_embeds=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None,
                input_features=None, **kwargs):
        if input_features is not None:
            input_ids, attention_mask = input_features, None
        if decoder_input_ids is None and decoder_inputs_embeds is None:
            decoder_input_ids = self._targets(input_ids)
        if encoder_outputs is None:
            encoder_outputs = self.encoder(input_ids, attention_mask)
        source = encoder_outputs[0]
        if self.config.model_type == "whisper":
            attention_mask = None
        out = self.decoder(decoder_input_ids, decoder_attention_mask, source, attention_mask,
                           decoder_inputs_embeds)
        return made(return_dict, last_hidden_state=out["last_hidden_state"],
                    encoder_last_hidden_state=source)

    def _targets(self, input_ids):
        """Without targets: those of BART are the inputs, others are taken to be as long."""
        if self.config.model_type == "whisper":
            n = self.config.max_target_positions
            return torch.zeros(input_ids.shape[0], n, dtype=torch.int64)
        return shift_right(input_ids, self.config)


class _Head(PreTrainedModel):
    _kind = "bart"

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        self.model = make(self._kind, "Model")(config)
        self._add(config)
        self.post_init()

    def get_encoder(self):
        return self.model.encoder

    def get_decoder(self):
        return self.model.decoder

    def freeze_encoder(self):
        self.model.encoder.requires_grad_(False)


class ForConditionalGeneration(_Head):
    def _add(self, config):
        c = config
        self.__dict__["speech"] = c.model_type == "whisper"
        if self.speech:
            self.proj_out = Linear(c.d_model, c.vocab_size, False)
        else:
            self.lm_head = Linear(c.d_model, c.vocab_size, False)

    def get_output_embeddings(self):
        return self.proj_out if self.speech else self.lm_head

    def set_output_embeddings(self, value):
        setattr(self, "proj_out" if self.speech else "lm_head", value)

    def prepare_decoder_input_ids_from_labels(self, labels):
        return shift_right(labels, self.config)

    def forward(self, input_ids=None, attention_mask=None, decoder_input_ids=None,
                decoder_attention_mask=None, head_mask=None, decoder_head_mask=None,
                cross_attn_head_mask=None, encoder_outputs=None, past_key_values=None,
                inputs_embeds=None, decoder_inputs_embeds=None, labels=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None,
                input_features=None, **kwargs):
        if labels is not None and decoder_input_ids is None:
            decoder_input_ids = shift_right(labels, self.config)
        out = self.model(input_ids, attention_mask, decoder_input_ids, decoder_attention_mask,
                         encoder_outputs=encoder_outputs, input_features=input_features)
        logits = self.get_output_embeddings()(out["last_hidden_state"])
        loss = None if labels is None else _heads.token_loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits,
                    encoder_last_hidden_state=out["encoder_last_hidden_state"])


class ForSequenceClassification(_Head):
    def _add(self, config):
        self.classification_head = ClassificationHead(config.d_model, config.num_labels,
                                                      config.classifier_dropout)

    def forward(self, input_ids=None, attention_mask=None, labels=None, return_dict=None,
                **kwargs):
        out = self.model(input_ids, attention_mask)
        x = out["last_hidden_state"]
        logits = self.classification_head(x.select(1, x.shape[1] - 1))
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class ForQuestionAnswering(_Head):
    def _add(self, config):
        self.qa_outputs = Linear(config.d_model, 2)

    def forward(self, input_ids=None, attention_mask=None, start_positions=None,
                end_positions=None, return_dict=None, **kwargs):
        out = self.model(input_ids, attention_mask)
        return _heads.answer(self.qa_outputs(out["last_hidden_state"]), start_positions,
                             end_positions, return_dict)


def heads(kind):
    return {"Model": BartModel, "ForConditionalGeneration": ForConditionalGeneration,
            "MTModel": ForConditionalGeneration, "PreTrainedModel": PreTrainedModel,
            "ForSequenceClassification": ForSequenceClassification,
            "ForQuestionAnswering": ForQuestionAnswering}


def part(kind, name):
    return {"Attention": BartAttention, "EncoderLayer": BartLayer,
            "DecoderLayer": BartLayer}.get(name)
