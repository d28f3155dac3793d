"""The model that a config.json of Hugging Face describes."""

import _tilewise
from transformers import _hub, _registry
from transformers.configuration_utils import config_of
from transformers.modeling_utils import code_of, construct

_HEADS = {"_decoder": "ForCausalLM", "_gpt": "LMHeadModel", "_gptj": "ForCausalLM",
          "_opt": "ForCausalLM", "_alibi": "ForCausalLM", "_t5": "ForConditionalGeneration",
          "_bart": "ForConditionalGeneration", "_vit": "ForImageClassification",
          "_swin": "ForImageClassification", "_convnet": "ForImageClassification"}


def build(path, architecture=None, dtype=None):
    """`path` is a config.json, a folder that holds one, or a well-known name.

    The class is `architecture`, else the first of "architectures", else the usual one of the
    kind. Weights have the type `dtype`, else that of "torch_dtype", else single precision.
    """
    values = _hub.config_dict(path)
    if _tilewise.is_unknown(values):
        return values
    config = config_of(values)
    if _tilewise.is_unknown(config):
        return config
    if architecture is None and values.get("architectures"):
        architecture = values["architectures"][0]
    text = getattr(config, "text_config", None)
    if config.model_type in ("gemma3", "llava") and text is not None:
        config = text
        _tilewise.note("only the language model of " + str(path) + " is built")
        cls = _registry.make(config.model_type, "ForCausalLM")
    elif architecture is None:
        kind = config.model_type
        head = _HEADS.get(_registry.MODELS[kind][1], "Model")
        if kind == "marian":
            head = "MTModel"
        cls = _registry.make(kind, head)
    else:
        cls = _registry.find(architecture)
    if cls is None or _tilewise.is_unknown(cls):
        return _tilewise.unknown("models of class " + str(architecture) + " are not known")
    return construct(cls, config, code_of(dtype or values.get("torch_dtype"), config))
