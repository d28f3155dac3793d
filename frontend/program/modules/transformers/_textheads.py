"""Heads of decoders whose base model has a name of its own."""

from torch.nn import Dropout, Linear
from transformers import _heads
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel


def make_heads(base, features, head="lm_head", head_bias=False, answer_dropout=None,
               answer_base=None):
    """Heads over `base`; features(config) is the width of what it gives."""

    class _Head(PreTrainedModel):
        _kind = ""

        def __init__(self, config):
            PreTrainedModel.__init__(self, config)
            from transformers._registry import make
            setattr(self, self._base_name(), make(self._kind, "Model")(config))
            self._add(config)
            self.post_init()

        def _base_name(self):
            return self.base_model_prefix

        def _run(self, input_ids, attention_mask, position_ids, inputs_embeds, **more):
            model = getattr(self, self._base_name())
            return model(input_ids, attention_mask=attention_mask, position_ids=position_ids,
                         inputs_embeds=inputs_embeds, **more)

    class ForCausalLM(_Head):
        def _add(self, config):
            bias = head_bias(config) if callable(head_bias) else head_bias
            setattr(self, head, Linear(features(config), config.vocab_size, bias))

        def forward(self, input_ids=None, past_key_values=None, attention_mask=None,
                    token_type_ids=None, position_ids=None, head_mask=None, inputs_embeds=None,
                    labels=None, use_cache=None, output_attentions=None,
                    output_hidden_states=None, return_dict=None, cache_position=None, **kwargs):
            out = self._run(input_ids, attention_mask, position_ids, inputs_embeds,
                            output_hidden_states=output_hidden_states)
            logits = getattr(self, head)(out["last_hidden_state"])
            loss = None if labels is None else _heads.causal_loss(logits, labels)
            return made(return_dict, loss=loss, logits=logits, hidden_states=out.hidden_states)

    class ForSequenceClassification(_Head):
        def _add(self, config):
            self.num_labels = config.num_labels
            self.score = Linear(features(config), config.num_labels, False)

        def forward(self, input_ids=None, past_key_values=None, attention_mask=None,
                    token_type_ids=None, position_ids=None, head_mask=None, inputs_embeds=None,
                    labels=None, use_cache=None, output_attentions=None,
                    output_hidden_states=None, return_dict=None, **kwargs):
            out = self._run(input_ids, attention_mask, position_ids, inputs_embeds)
            x = _heads.last_token(self.score(out["last_hidden_state"]), input_ids,
                                  self.config.pad_token_id)
            loss = None if labels is None else _heads.class_loss(self.config, x, labels)
            return made(return_dict, loss=loss, logits=x)

    class ForTokenClassification(_Head):
        def _add(self, config):
            self.num_labels = config.num_labels
            self.dropout = Dropout(0.1)
            self.classifier = Linear(features(config), config.num_labels)

        def forward(self, input_ids=None, past_key_values=None, attention_mask=None,
                    token_type_ids=None, position_ids=None, head_mask=None, inputs_embeds=None,
                    labels=None, use_cache=None, output_attentions=None,
                    output_hidden_states=None, return_dict=None, **kwargs):
            out = self._run(input_ids, attention_mask, position_ids, inputs_embeds)
            x = self.classifier(self.dropout(out["last_hidden_state"]))
            loss = None if labels is None else _heads.token_loss(x, labels)
            return made(return_dict, loss=loss, logits=x)

    class ForQuestionAnswering(_Head):
        def _add(self, config):
            self.qa_outputs = Linear(features(config), 2)

        def _base_name(self):
            return answer_base or self.base_model_prefix

        def forward(self, input_ids=None, attention_mask=None, token_type_ids=None,
                    position_ids=None, head_mask=None, inputs_embeds=None, start_positions=None,
                    end_positions=None, output_attentions=None, output_hidden_states=None,
                    return_dict=None, **kwargs):
            out = self._run(input_ids, attention_mask, position_ids, inputs_embeds)
            return _heads.answer(self.qa_outputs(out["last_hidden_state"]), start_positions,
                                 end_positions, return_dict)

    return {"Model": base, "ForCausalLM": ForCausalLM, "LMHeadModel": ForCausalLM,
            "ForSequenceClassification": ForSequenceClassification,
            "ForTokenClassification": ForTokenClassification,
            "ForQuestionAnswering": ForQuestionAnswering, "PreTrainedModel": PreTrainedModel}
