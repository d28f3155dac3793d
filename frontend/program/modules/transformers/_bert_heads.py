"""What stands on encoders of the kind of BERT: words, classes, answers."""

import torch
from torch.nn import Dropout, LayerNorm, Linear, Module, Parameter
from transformers import _bert, _heads
from transformers.activations import FUNCTIONS
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel

_LIKE_ROBERTA = ("roberta", "xlm-roberta", "camembert", "mpnet")


def _act(config):
    c = config.__dict__
    return FUNCTIONS[c.get("activation") or c.get("hidden_act") or "gelu"]


class _Words(Module):
    """Scores of all words: a product, a normalisation, the table of the embeddings."""

    def __init__(self, config, width, dense, norm, decoder, bias):
        Module.__init__(self)
        c = config
        setattr(self, dense, Linear(c.hidden_size, width))
        eps = c.__dict__.get("layer_norm_eps", 1e-12)
        setattr(self, norm, LayerNorm(width, eps))
        setattr(self, decoder, Linear(width, c.vocab_size))
        if bias:
            self.bias = getattr(self, decoder).bias
        self.__dict__["names"], self.__dict__["act"] = (dense, norm, decoder), _act(c)

    def forward(self, x):
        dense, norm, decoder = [getattr(self, n) for n in self.names]
        return decoder(norm(self.act(dense(x))))


class _Transform(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense = Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.__dict__["act"] = _act(config)

    def forward(self, x):
        return self.LayerNorm(self.act(self.dense(x)))


class BertLMPredictionHead(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.transform = _Transform(config)
        self.decoder = Linear(config.hidden_size, config.vocab_size)
        self.bias = self.decoder.bias

    def forward(self, x):
        return self.decoder(self.transform(x))


class _Cls(Module):
    def __init__(self, config, words=True, pair=False):
        Module.__init__(self)
        if words:
            self.predictions = BertLMPredictionHead(config)
        if pair:
            self.seq_relationship = Linear(config.hidden_size, 2)


class _Dense(Module):
    """A hidden product before the classes."""

    def __init__(self, config, act):
        Module.__init__(self)
        h = config.hidden_size
        self.dense = Linear(h, h)
        rate = config.__dict__.get("classifier_dropout")
        self.dropout = Dropout(config.hidden_dropout_prob if rate is None else rate)
        self.out_proj = Linear(h, config.num_labels)
        self.__dict__["act"] = FUNCTIONS[act]

    def forward(self, x, **kwargs):
        x = self.dropout(x.select(1, 0))
        return self.out_proj(self.dropout(self.act(self.dense(x))))


class _Head(PreTrainedModel):
    _kind = "bert"
    _pooled = False

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        from transformers._registry import make
        base = make(self._kind, "Model")
        self.__dict__["num_labels"] = config.num_labels
        setattr(self, self.base_model_prefix, base(config, add_pooling_layer=self._pooled))
        self._add(config)
        self.post_init()

    def _run(self, input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds,
             **more):
        model = getattr(self, self.base_model_prefix)
        if self._kind != "distilbert":
            more["token_type_ids"], more["position_ids"] = token_type_ids, position_ids
        return model(input_ids, attention_mask=attention_mask, inputs_embeds=inputs_embeds,
                     **more)

    def _dropout(self, config):
        c = config.__dict__
        for name in ("classifier_dropout", "classifier_dropout_prob", "hidden_dropout_prob",
                     "dropout"):
            if c.get(name) is not None:
                return Dropout(c[name])
        return Dropout(0.1)


class ForMaskedLM(_Head):
    def _add(self, config):
        kind, c = self._kind, config
        name, head = "cls", None
        if kind in _LIKE_ROBERTA:
            name, head = "lm_head", _Words(c, c.hidden_size, "dense", "layer_norm", "decoder", True)
        elif kind == "albert":
            name, head = "predictions", _Words(c, c.embedding_size, "dense", "LayerNorm",
                                               "decoder", True)
        elif kind == "electra":
            self.generator_predictions = _Plain(c)
            name, head = "generator_lm_head", Linear(c.embedding_size, c.vocab_size)
        elif kind == "distilbert":
            self.vocab_transform = Linear(c.dim, c.dim)
            self.vocab_layer_norm = LayerNorm(c.dim, 1e-12)
            name, head = "vocab_projector", Linear(c.dim, c.vocab_size)
        else:
            head = _Cls(c)
        setattr(self, name, head)
        self.__dict__["head_name"] = name

    def get_output_embeddings(self):
        head = getattr(self, self.head_name)
        if isinstance(head, Linear):
            return head
        return head.predictions.decoder if self.head_name == "cls" else head.decoder

    def set_output_embeddings(self, value):
        head = getattr(self, self.head_name)
        if isinstance(head, Linear):
            setattr(self, self.head_name, value)
            return
        holder = head.predictions if self.head_name == "cls" else head
        holder.decoder = value
        if value.bias is not None:
            holder.bias = value.bias

    def _words(self, x):
        head = getattr(self, self.head_name)
        if self._kind == "electra":
            x = self.generator_predictions(x)
        elif self._kind == "distilbert":
            x = self.vocab_layer_norm(_act(self.config)(self.vocab_transform(x)))
        elif self.head_name == "cls":
            return head.predictions(x)
        return head(x)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None,
                encoder_hidden_states=None, encoder_attention_mask=None, labels=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        more = {}
        if encoder_hidden_states is not None:
            more = {"encoder_hidden_states": encoder_hidden_states,
                    "encoder_attention_mask": encoder_attention_mask}
        out = self._run(input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds,
                        output_hidden_states=output_hidden_states, **more)
        logits = self._words(out["last_hidden_state"])
        loss = None if labels is None else self._loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits, hidden_states=out.hidden_states)

    def _loss(self, logits, labels):
        return _heads.token_loss(logits, labels)


class LMHeadModel(ForMaskedLM):
    def _loss(self, logits, labels):
        return _heads.causal_loss(logits, labels)


class _Plain(Module):
    """ELECTRA's generator: to the width of the embeddings."""

    def __init__(self, config):
        Module.__init__(self)
        self.LayerNorm = LayerNorm(config.embedding_size, config.layer_norm_eps)
        self.dense = Linear(config.hidden_size, config.embedding_size)

    def forward(self, x):
        return self.LayerNorm(FUNCTIONS["gelu"](self.dense(x)))


class _Discriminator(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense = Linear(config.hidden_size, config.hidden_size)
        self.dense_prediction = Linear(config.hidden_size, 1)
        self.__dict__["act"] = _act(config)

    def forward(self, x):
        return self.dense_prediction(self.act(self.dense(x))).squeeze(-1)


class ForPreTraining(_Head):
    """Words and whether two sentences follow each other; ELECTRA: which words were changed."""
    _pooled = True

    def _add(self, config):
        if self._kind == "electra":
            self.discriminator_predictions = _Discriminator(config)
        elif self._kind == "albert":
            self.predictions = _Words(config, config.embedding_size, "dense", "LayerNorm",
                                      "decoder", True)
            self.sop_classifier = _Sop(config)
        else:
            self.cls = _Cls(config, True, True)

    def get_output_embeddings(self):
        if self._kind == "electra":
            return None
        return self.predictions.decoder if self._kind == "albert" else \
            self.cls.predictions.decoder

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None, labels=None,
                next_sentence_label=None, sentence_order_label=None, output_attentions=None,
                output_hidden_states=None, return_dict=None, **kwargs):
        out = self._run(input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds)
        x, loss = out["last_hidden_state"], None
        if self._kind == "electra":
            logits = self.discriminator_predictions(x)
            if labels is not None:
                loss = torch.nn.functional.binary_cross_entropy_with_logits(
                    logits, labels.float())
            return made(return_dict, loss=loss, logits=logits)
        if self._kind == "albert":
            words, pair = self.predictions(x), self.sop_classifier(out["pooler_output"])
            next_sentence_label = sentence_order_label
        else:
            words = self.cls.predictions(x)
            pair = self.cls.seq_relationship(out["pooler_output"])
        if labels is not None and next_sentence_label is not None:
            loss = _heads.token_loss(words, labels) + _heads.token_loss(pair,
                                                                        next_sentence_label)
        return made(return_dict, loss=loss, prediction_logits=words,
                    seq_relationship_logits=pair)


class _Sop(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dropout = Dropout(config.classifier_dropout_prob)
        self.classifier = Linear(config.hidden_size, config.num_labels)

    def forward(self, x):
        return self.classifier(self.dropout(x))


class ForNextSentencePrediction(_Head):
    _pooled = True

    def _add(self, config):
        self.cls = _Cls(config, False, True)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None, labels=None, **kwargs):
        out = self._run(input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds)
        x = self.cls.seq_relationship(out["pooler_output"])
        loss = None if labels is None else _heads.token_loss(x, labels)
        return made(kwargs.get("return_dict"), loss=loss, logits=x)


class _ContextPooler(Module):
    def __init__(self, config):
        Module.__init__(self)
        self.dense = Linear(config.hidden_size, config.hidden_size)
        self.dropout = Dropout(config.pooler_dropout)
        self.__dict__["act"] = FUNCTIONS[config.pooler_hidden_act]

    def forward(self, x):
        return self.act(self.dense(self.dropout(x.select(1, 0))))


class ForSequenceClassification(_Head):
    @property
    def _pooled(self):
        return self._kind in ("bert", "albert")

    def _add(self, config):
        kind, n = self._kind, config.num_labels
        if kind in _LIKE_ROBERTA:
            self.classifier = _Dense(config, "tanh")
        elif kind == "electra":
            self.classifier = _Dense(config, "gelu")
        elif kind == "distilbert":
            self.pre_classifier, self.classifier = Linear(config.dim, config.dim), Linear(
                config.dim, n)
            self.dropout = Dropout(config.seq_classif_dropout)
        elif kind in ("deberta", "deberta-v2"):
            self.pooler = _ContextPooler(config)
            self.classifier, self.dropout = Linear(config.hidden_size, n), self._dropout(config)
        else:
            self.dropout = self._dropout(config)
            self.classifier = Linear(config.hidden_size, n)

    def _classes(self, out):
        kind = self._kind
        x = out["last_hidden_state"]
        if kind == "distilbert":
            x = self.pre_classifier(x.select(1, 0)).relu()
            return self.classifier(self.dropout(x))
        if kind in ("deberta", "deberta-v2"):
            return self.classifier(self.dropout(self.pooler(x)))
        if self._pooled:
            return self.classifier(self.dropout(out["pooler_output"]))
        return self.classifier(x)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None, labels=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        out = self._run(input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds,
                        output_hidden_states=output_hidden_states)
        logits = self._classes(out)
        loss = None if labels is None else _heads.class_loss(self.config, logits, labels)
        return made(return_dict, loss=loss, logits=logits, hidden_states=out.hidden_states)


class ForMultipleChoice(_Head):
    @property
    def _pooled(self):
        return self._kind in ("bert", "albert") + _LIKE_ROBERTA

    def _add(self, config):
        self.dropout = self._dropout(config)
        if self._kind == "distilbert":
            self.pre_classifier = Linear(config.dim, config.dim)
        self.classifier = Linear(config.hidden_size, 1)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None, labels=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        n = input_ids.shape[1]
        flat = [None if x is None else x.reshape(-1, x.shape[-1])
                for x in (input_ids, attention_mask, token_type_ids, position_ids)]
        out = self._run(flat[0], flat[1], flat[2], flat[3], None)
        x = out["pooler_output"] if self._pooled else out["last_hidden_state"].select(1, 0)
        if self._kind == "distilbert":
            x = self.pre_classifier(x).relu()
        logits = self.classifier(self.dropout(x)).reshape(-1, n)
        loss = None if labels is None else _heads.token_loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class ForTokenClassification(_Head):
    def _add(self, config):
        self.dropout = self._dropout(config)
        self.classifier = Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None, labels=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        out = self._run(input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds)
        logits = self.classifier(self.dropout(out["last_hidden_state"]))
        loss = None if labels is None else _heads.token_loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits)


class ForQuestionAnswering(_Head):
    def _add(self, config):
        self.qa_outputs = Linear(config.hidden_size, 2)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                position_ids=None, head_mask=None, inputs_embeds=None, start_positions=None,
                end_positions=None, output_attentions=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        out = self._run(input_ids, attention_mask, token_type_ids, position_ids, inputs_embeds)
        return _heads.answer(self.qa_outputs(out["last_hidden_state"]), start_positions,
                             end_positions, return_dict)


def heads(kind):
    from transformers import _bert_kinds
    base = _bert_kinds.MODELS.get(kind, _bert.BertModel)
    return {"Model": base, "PreTrainedModel": PreTrainedModel, "ForMaskedLM": ForMaskedLM,
            "LMHeadModel": LMHeadModel, "ForCausalLM": LMHeadModel,
            "ForPreTraining": ForPreTraining,
            "ForNextSentencePrediction": ForNextSentencePrediction,
            "ForSequenceClassification": ForSequenceClassification,
            "ForMultipleChoice": ForMultipleChoice,
            "ForTokenClassification": ForTokenClassification,
            "ForQuestionAnswering": ForQuestionAnswering,
            "ForQuestionAnsweringSimple": ForQuestionAnswering}
