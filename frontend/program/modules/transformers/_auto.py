"""Auto classes: the class of a model follows from the kind of its configuration."""

import _tilewise
from transformers import _hub, _registry
from transformers.configuration_utils import PretrainedConfig, config_class, config_of
from transformers.modeling_utils import PreTrainedModel, code_of, construct

_IMAGES = ("vit", "deit", "dinov2", "beit", "swin", "convnext", "convnextv2", "resnet",
           "segformer")
_PAIRS = ("t5", "mt5", "umt5", "bart", "mbart", "pegasus", "marian", "m2m_100", "whisper",
          "encoder-decoder")
_CAUSAL = tuple(k for k, row in _registry.MODELS.items() if row[1] in (
    "_decoder", "_gpt", "_gptj", "_opt", "_alibi"))
_ENCODERS = tuple(k for k, row in _registry.MODELS.items() if row[1] in ("_bert",
                                                                         "_modernbert"))


def _own(own, config, given):
    """The number of labels and the like that from_pretrained() was given beside a config."""
    return own


class AutoConfig:
    def __init__(self):
        raise EnvironmentError("AutoConfig is made by from_pretrained()")

    @staticmethod
    def for_model(model_type, *args, **kwargs):
        return config_class(model_type)(*args, **kwargs)

    @staticmethod
    def from_pretrained(pretrained_model_name_or_path, **kwargs):
        values = _hub.config_dict(pretrained_model_name_or_path, kwargs.get("subfolder"))
        if _tilewise.is_unknown(values):
            return values
        cls = config_class(values.get("model_type", ""))
        if _tilewise.is_unknown(cls):
            return cls
        for name in ("trust_remote_code", "cache_dir", "revision", "token", "use_auth_token",
                     "code_revision", "local_files_only", "force_download"):
            kwargs.pop(name, None)
        return cls.from_dict(values, **kwargs)

    @staticmethod
    def register(model_type, config, exist_ok=False):
        from transformers import configuration_utils
        configuration_utils._MADE[model_type] = config


_CUSTOM = {}  # (name of the auto class, class of the configuration): class of the model


class _AutoModel:
    _head = "Model"
    _special = {}

    def __init__(self, *args, **kwargs):
        raise EnvironmentError(type(self).__name__ + " is made by from_pretrained()")

    @classmethod
    def _class(cls, config):
        own = _CUSTOM.get((cls.__name__, type(config)))
        if own is not None:
            return own
        kind = config.model_type
        if kind in ("gemma3", "llava") and isinstance(getattr(config, "text_config", None),
                                                      PretrainedConfig):
            return _registry.make(config.text_config.model_type, cls._head)
        head = cls._special.get(kind, cls._head)
        if head == "ForCausalLM" and kind in ("gpt2", "openai-gpt", "bert"):
            head = "LMHeadModel"
        return _registry.make(kind, head)

    @classmethod
    def from_config(cls, config, **kwargs):
        if _tilewise.is_unknown(config):
            return config
        made = cls._class(config)
        if _tilewise.is_unknown(made):
            return made
        kind = code_of(kwargs.get("torch_dtype") or kwargs.get("dtype"), config)
        return construct(made, _text(config), kind)

    _from_config = from_config

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path=None, *model_args, config=None,
                        **kwargs):
        if _tilewise.is_unknown(config):
            return config
        if not isinstance(config, PretrainedConfig):
            values = _hub.config_dict(pretrained_model_name_or_path, kwargs.get("subfolder"))
            if _tilewise.is_unknown(values):
                return values
            kind = config_class(values.get("model_type", ""))
            if _tilewise.is_unknown(kind):
                return kind
            from transformers.modeling_utils import _IGNORED
            options = {k: v for k, v in kwargs.items() if k not in _IGNORED}
            config, rest = kind.from_dict(values, return_unused_kwargs=True, **options)
            kwargs = {k: v for k, v in kwargs.items() if k in _IGNORED or k in rest}
        made = cls._class(config)
        if _tilewise.is_unknown(made):
            return made
        return made.from_pretrained(pretrained_model_name_or_path, *model_args,
                                    config=_text(config), **kwargs)

    @classmethod
    def register(cls, config_class, model_class, exist_ok=False):
        _CUSTOM[cls.__name__, config_class] = model_class


def _text(config):
    if config.model_type in ("gemma3", "llava"):
        return config.text_config
    return config


_NAMES = {
    "AutoModel": ("Model", _CAUSAL + _ENCODERS + _PAIRS + _IMAGES, {}),
    "AutoModelForCausalLM": ("ForCausalLM", _CAUSAL, {}),
    "AutoModelForMaskedLM": ("ForMaskedLM", _ENCODERS, {"bart": "ForConditionalGeneration"}),
    "AutoModelForPreTraining": ("ForPreTraining", _ENCODERS, {
        k: "ForMaskedLM" for k in ("roberta", "xlm-roberta", "camembert", "distilbert", "mpnet",
                                   "deberta", "deberta-v2", "modernbert")}),
    "AutoModelForSeq2SeqLM": ("ForConditionalGeneration", _PAIRS, {
        "marian": "MTModel", "encoder-decoder": "Model"}),
    "AutoModelForSequenceClassification": (
        "ForSequenceClassification", _CAUSAL + _ENCODERS + _PAIRS, {}),
    "AutoModelForTokenClassification": ("ForTokenClassification", _CAUSAL + _ENCODERS, {}),
    "AutoModelForQuestionAnswering": ("ForQuestionAnswering", _ENCODERS + _PAIRS, {}),
    "AutoModelForMultipleChoice": ("ForMultipleChoice", _ENCODERS, {}),
    "AutoModelForNextSentencePrediction": ("ForNextSentencePrediction", _ENCODERS, {}),
    "AutoModelForImageClassification": ("ForImageClassification", _IMAGES, {}),
    "AutoModelForMaskedImageModeling": ("ForMaskedImageModeling", _IMAGES, {}),
    "AutoModelForSemanticSegmentation": ("ForSemanticSegmentation", _IMAGES, {}),
    "AutoModelForCTC": ("ForCTC", ("wav2vec2", "hubert"), {}),
    "AutoModelForAudioClassification": ("ForSequenceClassification", ("wav2vec2", "hubert"), {}),
    "AutoModelForSpeechSeq2Seq": ("ForConditionalGeneration", ("whisper",), {}),
    "AutoModelForVision2Seq": ("Model", ("vision-encoder-decoder",), {}),
    "AutoModelForImageTextToText": ("ForConditionalGeneration", ("llava", "gemma3"), {}),
}
_OTHER = {"AutoModelWithLMHead": "AutoModelForCausalLM"}
_made = {}


def find(name):
    name = _OTHER.get(name, name)
    row = _NAMES.get(name)
    if row is None:
        return None
    if name not in _made:
        head, _, special = row
        _made[name] = type(name, (_AutoModel,), {"_head": head, "_special": special,
                                                 "__module__": "transformers"})
    return _made[name]


class _Mapping:
    """Configurations that an auto class takes."""

    def __init__(self, kinds):
        self.kinds = kinds

    def keys(self):
        return [config_class(k) for k in self.kinds]

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, kind):
        return getattr(kind, "model_type", kind) in self.kinds

    def values(self):
        return [_registry.make(k, "Model") for k in self.kinds]

    def items(self):
        return list(zip(self.keys(), self.values()))

    def __len__(self):
        return len(self.kinds)


class _Configs(_Mapping):
    def __getitem__(self, kind):
        return config_class(kind)

    def keys(self):
        return list(self.kinds)

    def values(self):
        return [config_class(k) for k in self.kinds]


class _Others(_Mapping):
    """Of processors and tokenizers."""

    def values(self):
        from transformers.image_processing_utils import BaseImageProcessor
        return [BaseImageProcessor] * len(self.kinds)

    def __getitem__(self, kind):
        return self.values()[0]


CONFIG_MAPPING = _Configs(tuple(_registry.MODELS))


def mapping(name):
    """Of MODEL_FOR_CAUSAL_LM_MAPPING and its like."""
    words = name.removeprefix("TF_").removeprefix("FLAX_").split("_")
    if words[0] in ("IMAGE", "FEATURE", "TOKENIZER", "PROCESSOR"):
        return _Others(_IMAGES if words[0] == "IMAGE" else tuple(_registry.MODELS))
    wanted = "automodel" + "".join(words[1:words.index("MAPPING")]).lower()
    for auto, row in _NAMES.items():
        if auto.lower() == wanted:
            return _Mapping(row[1])
    return None
