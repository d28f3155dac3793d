"""Models of keras_hub: backbones, and tasks on top of them."""

import _tilewise as _t
import keras
from keras_hub._base import (Backbone, CausalLMPreprocessor, MaskedLMPreprocessor, Preprocessor,
                             Task, ids)
from keras_hub._decoders import (Gemma3Backbone, GemmaBackbone, GPT2Backbone, Llama3Backbone,
                                 LlamaBackbone, MistralBackbone)
from keras_hub._encoders import (AlbertBackbone, BertBackbone, DebertaV3Backbone,
                                 DistilBertBackbone, RobertaBackbone, XLMRobertaBackbone)
from keras_hub.layers import MaskedLMHead
from keras_hub.tokenizers import Tokenizer

_L = keras.layers
BACKBONES = {cls.family: cls for cls in (
    AlbertBackbone, BertBackbone, DebertaV3Backbone, DistilBertBackbone, Gemma3Backbone,
    GemmaBackbone, GPT2Backbone, Llama3Backbone, LlamaBackbone, MistralBackbone, RobertaBackbone,
    XLMRobertaBackbone)}


class TextClassifierPreprocessor(Preprocessor):
    pass


class TextClassifier(Task):
    """From the state of the first token, or what the backbone pools, to a score of each class."""
    preprocessor_cls = TextClassifierPreprocessor
    _takes = ("num_classes",)
    _rate = 5e-5
    # Of a family: whether a dense layer is before the scores, and its activation.
    _heads = {"Bert": None, "Albert": None, "DistilBert": "relu", "Roberta": "tanh",
              "XLMRoberta": "tanh", "DebertaV3": "gelu"}

    def __init__(self, backbone, num_classes, preprocessor=None, activation=None,
                 hidden_dim=None, dropout=None, **kwargs):
        self.num_classes, self.activation = num_classes, activation
        inputs, x = backbone.input, None
        if backbone.family not in self._heads:
            raise ValueError("no classifier of " + str(backbone.family))
        between = self._heads[backbone.family]
        with_dtype = dict(dtype=backbone.dtype_policy)
        rate = dropout
        if rate is None:
            rate = {None: 0.1, "relu": 0.2}.get(between, 0.0)
        out = backbone(inputs)
        if between is None:
            x = out["pooled_output"]
        else:
            x = _L.Dropout(rate)(out[:, 0, :])
            self.pooled_dense = _L.Dense(hidden_dim or backbone.hidden_dim, between,
                                         name="pooled_dense", **with_dtype)
            x = self.pooled_dense(x)
        self.output_dense = _L.Dense(num_classes, activation, name="logits", **with_dtype)
        y = self.output_dense(_L.Dropout(rate)(x))
        Task.__init__(self, backbone, preprocessor, inputs, y, **kwargs)


class MaskedLM(Task):
    preprocessor_cls = MaskedLMPreprocessor
    _rate = 5e-5

    def __init__(self, backbone, preprocessor=None, **kwargs):
        inputs = dict(backbone.input, mask_positions=ids("mask_positions"))
        out = backbone(backbone.input)
        if isinstance(out, dict):
            out = out["sequence_output"]
        self.masked_lm_head = MaskedLMHead(token_embedding=backbone.token_embedding,
                                           intermediate_activation="gelu", name="mlm_head",
                                           dtype=backbone.dtype_policy)
        y = self.masked_lm_head(out, inputs["mask_positions"])
        Task.__init__(self, backbone, preprocessor, inputs, y, **kwargs)


class CausalLM(Task):
    preprocessor_cls = CausalLMPreprocessor

    def __init__(self, backbone, preprocessor=None, **kwargs):
        inputs = backbone.input
        y = backbone.token_embedding(backbone(inputs), reverse=True)
        Task.__init__(self, backbone, preprocessor, inputs, y, **kwargs)


class TextEmbedder(Task):
    pass


_TASKS = {"TextClassifier": TextClassifier, "Classifier": TextClassifier, "MaskedLM": MaskedLM,
          "CausalLM": CausalLM}
_PREPROCESSORS = {"TextClassifierPreprocessor": TextClassifierPreprocessor,
                  "Preprocessor": TextClassifierPreprocessor,
                  "MaskedLMPreprocessor": MaskedLMPreprocessor,
                  "CausalLMPreprocessor": CausalLMPreprocessor}
Classifier = TextClassifier


def __getattr__(name):
    """Classes of a family ("GemmaCausalLM"), which are made when they are asked for."""
    if name[:2] == "__":
        raise AttributeError(name)
    families = sorted(BACKBONES, key=len, reverse=True)
    for family in families:
        if not name.startswith(family):
            continue
        rest = name[len(family):]
        made = None
        if rest in _TASKS:
            made = type(name, (_TASKS[rest],), {
                "backbone_cls": BACKBONES[family],
                "preprocessor_cls": _of_family(family, _TASKS[rest].preprocessor_cls)})
        elif rest in _PREPROCESSORS:
            made = _of_family(family, _PREPROCESSORS[rest], name)
        elif rest == "Tokenizer":
            made = type(name, (Tokenizer,), {})
        if made is not None:
            globals()[name] = made
            return made
    _t.note("the model keras_hub.models." + name + " is not known")
    return _t.unknown("keras_hub.models." + name)


def _of_family(family, cls, name=None):
    segments = family in ("Bert", "Albert")
    return type(name or family + cls.__name__, (cls,), {"family": family, "segments": segments})
