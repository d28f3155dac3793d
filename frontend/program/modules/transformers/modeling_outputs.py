"""Results of models: dicts whose values are attributes and places of a tuple too."""


class ModelOutput(dict):
    def __init__(self, *args, **kwargs):
        dict.__init__(self)
        if args and isinstance(args[0], dict):
            kwargs = dict(args[0], **kwargs)
        for name, value in kwargs.items():
            if value is not None:
                dict.__setitem__(self, name, value)

    def __getitem__(self, key):
        if isinstance(key, str):
            return dict.__getitem__(self, key)
        return self.to_tuple()[key]

    def __getattr__(self, name):
        if name in self:
            return dict.__getitem__(self, name)
        if name[:2] == "__":
            raise AttributeError(name)
        return None

    def __setattr__(self, name, value):
        dict.__setitem__(self, name, value)

    def to_tuple(self):
        return tuple(self.values())

    def __iter__(self):
        """The values: who takes a result apart writes for the releases that give tuples."""
        return iter(self.to_tuple())


def _kind(name):
    made = type(name, (ModelOutput,), {"__module__": "transformers.modeling_outputs"})
    return made


(BaseModelOutput, BaseModelOutputWithPooling, BaseModelOutputWithPast,
 BaseModelOutputWithPastAndCrossAttentions, BaseModelOutputWithPoolingAndCrossAttentions,
 CausalLMOutput, CausalLMOutputWithPast, CausalLMOutputWithCrossAttentions, MaskedLMOutput,
 Seq2SeqLMOutput, Seq2SeqModelOutput, SequenceClassifierOutput, SequenceClassifierOutputWithPast,
 Seq2SeqSequenceClassifierOutput, TokenClassifierOutput, QuestionAnsweringModelOutput,
 MultipleChoiceModelOutput, NextSentencePredictorOutput, ImageClassifierOutput,
 ImageClassifierOutputWithNoAttention, SemanticSegmenterOutput, Wav2Vec2BaseModelOutput,
 BaseModelOutputWithNoAttention, BaseModelOutputWithPoolingAndNoAttention,
 MoeModelOutputWithPast, MoeCausalLMOutputWithPast) = [_kind(n) for n in (
     "BaseModelOutput", "BaseModelOutputWithPooling", "BaseModelOutputWithPast",
     "BaseModelOutputWithPastAndCrossAttentions",
     "BaseModelOutputWithPoolingAndCrossAttentions", "CausalLMOutput", "CausalLMOutputWithPast",
     "CausalLMOutputWithCrossAttentions", "MaskedLMOutput", "Seq2SeqLMOutput",
     "Seq2SeqModelOutput", "SequenceClassifierOutput", "SequenceClassifierOutputWithPast",
     "Seq2SeqSequenceClassifierOutput", "TokenClassifierOutput", "QuestionAnsweringModelOutput",
     "MultipleChoiceModelOutput", "NextSentencePredictorOutput", "ImageClassifierOutput",
     "ImageClassifierOutputWithNoAttention", "SemanticSegmenterOutput",
     "Wav2Vec2BaseModelOutput", "BaseModelOutputWithNoAttention",
     "BaseModelOutputWithPoolingAndNoAttention", "MoeModelOutputWithPast",
     "MoeCausalLMOutputWithPast")]


def made(return_dict, **values):
    """The result of a forward pass, a tuple if return_dict is False."""
    if return_dict is False:
        return tuple([v for v in values.values() if v is not None])
    return ModelOutput(values)
