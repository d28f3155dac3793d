"""Configurations: plain values under documented names, with the defaults of their kind."""

import _tilewise
from transformers._config_table import TABLE

_COMMON = {
    "output_hidden_states": False, "output_attentions": False, "return_dict": True,
    "tie_word_embeddings": True, "is_encoder_decoder": False, "is_decoder": False,
    "add_cross_attention": False, "tie_encoder_decoder": False, "chunk_size_feed_forward": 0,
    "problem_type": None, "torch_dtype": None, "pad_token_id": None, "bos_token_id": None,
    "eos_token_id": None, "sep_token_id": None, "decoder_start_token_id": None,
    "architectures": None, "finetuning_task": None, "task_specific_params": None,
    "use_cache": True, "layer_norm_eps": 1e-12, "initializer_range": 0.02, "prefix": None,
    "tokenizer_class": None, "name_or_path": "", "_name_or_path": "", "max_length": 20,
    "pruned_heads": {}, "quantization_config": None, "is_composition": False,
    "keys_to_ignore_at_inference": ["past_key_values"], "hidden_act": "gelu",
    "cross_attention_hidden_size": None, "torchscript": False, "use_bfloat16": False,
    "tf_legacy_loss": False,
    # What texts are generated with.
    "min_length": 0, "do_sample": False, "early_stopping": False, "num_beams": 1,
    "num_beam_groups": 1, "diversity_penalty": 0.0, "temperature": 1.0, "top_k": 50,
    "top_p": 1.0, "typical_p": 1.0, "repetition_penalty": 1.0, "length_penalty": 1.0,
    "no_repeat_ngram_size": 0, "encoder_no_repeat_ngram_size": 0, "bad_words_ids": None,
    "num_return_sequences": 1, "output_scores": False, "return_dict_in_generate": False,
    "forced_bos_token_id": None, "forced_eos_token_id": None, "remove_invalid_values": False,
    "exponential_decay_length_penalty": None, "suppress_tokens": None,
    "begin_suppress_tokens": None,
}
_set = object.__setattr__


class PretrainedConfig:
    model_type = ""
    attribute_map = {}
    _fields = {}

    def __init__(self, *args, **kwargs):
        own = self.__dict__
        own.update(_COMMON)
        own.update(self._fields)
        for name, value in zip(self._fields, args):
            own[name] = value
        labels = kwargs.pop("num_labels", None)
        if _tilewise.is_unknown(labels):
            _tilewise.note("the number of labels is not known; 2 are taken")
            labels = 2
        for name in ("id2label", "label2id"):
            if _tilewise.is_unknown(kwargs.get(name)):
                kwargs.pop(name)
        if "dtype" in kwargs:
            kwargs["torch_dtype"] = kwargs.pop("dtype")
        own["_attn_implementation"] = kwargs.pop("attn_implementation", None)
        kwargs.pop("transformers_version", None)
        kwargs.pop("model_type", None)
        for name, value in kwargs.items():
            own[self.attribute_map.get(name, name)] = value
        if labels is not None:
            self.num_labels = labels
        elif own.get("id2label") is not None:
            own["id2label"] = {int(k): v for k, v in own["id2label"].items()}
        else:
            self.num_labels = 2
        finish = _FINISH.get(self.model_type)
        if finish is not None:
            finish(self)

    # Other names of the same values.

    def __getattr__(self, name):
        other = type(self).attribute_map.get(name)
        if other is not None:
            return getattr(self, other)
        raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name +
                             "'")

    def __setattr__(self, name, value):
        _set(self, type(self).attribute_map.get(name, name), value)

    @property
    def num_labels(self):
        return len(self.id2label)

    @num_labels.setter
    def num_labels(self, n):
        own = self.__dict__
        if _tilewise.is_unknown(n):
            _tilewise.note("the number of labels is not known; 2 are taken")
            n = 2
        if own.get("id2label") is None or len(own["id2label"]) != n:
            own["id2label"] = {i: "LABEL_" + str(i) for i in range(n)}
            own["label2id"] = {"LABEL_" + str(i): i for i in range(n)}

    @property
    def use_return_dict(self):
        return self.return_dict

    @property
    def dtype(self):
        return self.torch_dtype

    @dtype.setter
    def dtype(self, value):
        self.__dict__["torch_dtype"] = value

    def get_text_config(self, decoder=False, **options):
        for name in ("text_config", "decoder", "llm_config"):
            part = self.__dict__.get(name)
            if isinstance(part, PretrainedConfig):
                return part
        return self

    # -- where it comes from

    @classmethod
    def get_config_dict(cls, name, **kwargs):
        from transformers import _hub
        return _hub.config_dict(name, kwargs.get("subfolder")), kwargs

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, **kwargs):
        from transformers import _hub
        values = _hub.config_dict(pretrained_model_name_or_path, kwargs.pop("subfolder", None))
        if _tilewise.is_unknown(values):
            return values
        return cls.from_dict(values, **kwargs)

    @classmethod
    def from_dict(cls, config_dict, return_unused_kwargs=False, **kwargs):
        if _tilewise.is_unknown(config_dict):
            return config_dict
        values = dict(config_dict)
        rest = {}
        known = cls._fields
        for name, value in kwargs.items():
            if name in known or name in _COMMON or name in values or name in (
                    "num_labels", "id2label", "label2id", "attn_implementation", "dtype") \
                    or name in cls.attribute_map:
                values[name] = value
            else:
                rest[name] = value
        if "num_labels" in kwargs and "id2label" not in kwargs:
            values.pop("id2label", None)
            values.pop("label2id", None)
        config = cls(**values)
        return (config, rest) if return_unused_kwargs else config

    @classmethod
    def from_json_file(cls, json_file):
        return cls.from_pretrained(json_file)

    def to_dict(self):
        result = {}
        for name, value in self.__dict__.items():
            if name[:1] != "_":
                result[name] = value.to_dict() if isinstance(value, PretrainedConfig) else value
        result["model_type"] = self.model_type
        return result

    to_diff_dict = to_dict

    def to_json_string(self, use_diff=True):
        return _tilewise.unknown("the text of a configuration")

    def update(self, config_dict):
        for name, value in config_dict.items():
            setattr(self, name, value)

    def update_from_string(self, update_str):
        for part in update_str.split(","):
            name, _, text = part.partition("=")
            old = getattr(self, name)
            if isinstance(old, bool):
                value = text.lower() in ("true", "1", "y", "yes")
            elif isinstance(old, int):
                value = int(text)
            elif isinstance(old, float):
                value = float(text)
            else:
                value = text
            setattr(self, name, value)

    def save_pretrained(self, save_directory, **kwargs):
        pass

    push_to_hub = to_json_file = register_for_auto_class = save_pretrained

    def __repr__(self):
        return type(self).__name__ + " {}"

    def __eq__(self, other):
        return isinstance(other, PretrainedConfig) and self.__dict__ == other.__dict__

    def __hash__(self):
        return id(self)

    def __deepcopy__(self, memo):
        new = object.__new__(type(self))
        for name, value in self.__dict__.items():
            if isinstance(value, PretrainedConfig):
                value = value.__deepcopy__(memo)
            elif isinstance(value, (dict, list)):
                value = value.copy()
            new.__dict__[name] = value
        return new


# ---- what follows from the other values


def _decoder(c):
    if c.num_key_value_heads is None:
        c.num_key_value_heads = c.num_attention_heads
    if c.__dict__.get("head_dim") is None:
        c.head_dim = c.hidden_size // c.num_attention_heads


def _neo(c):
    layers = []
    for kinds, n in c.attention_types:
        layers += list(kinds) * n
    c.attention_layers = layers


def _inner(c):
    if c.n_inner is None:
        c.n_inner = 4 * c.n_embd


def _t5(c):
    if c.num_decoder_layers is None:
        c.num_decoder_layers = c.num_layers
    kind = c.feed_forward_proj.split("-")
    c.dense_act_fn = "gelu_new" if c.feed_forward_proj == "gated-gelu" else kind[-1]
    c.is_gated_act = kind[0] == "gated"


def _falcon(c):
    if c.num_kv_heads is None:
        c.num_kv_heads = c.num_attention_heads
    if c.ffn_hidden_size is None:
        c.ffn_hidden_size = 4 * c.hidden_size
    c.head_dim = c.hidden_size // c.num_attention_heads


def _stages(c):
    c.num_layers = len(c.depths)
    if c.model_type in ("swin", "swinv2"):
        c.hidden_size = int(c.embed_dim * 2 ** (len(c.depths) - 1))


def _parts(*names):
    def finish(c):
        for name, kind in names:
            value = c.__dict__.get(name)
            if value is None or isinstance(value, dict):
                value = dict(value or {})
                c.__dict__[name] = config_class(value.pop("model_type", kind) or kind)(**value)
    return finish


_FINISH = {
    "gpt2": _inner, "gptj": _inner, "gpt_bigcode": _inner, "codegen": _inner, "gpt_neo": _neo,
    "t5": _t5, "mt5": _t5, "umt5": _t5, "longt5": _t5, "falcon": _falcon, "swin": _stages,
    "convnext": _stages, "convnextv2": _stages,
    "clip": _parts(("text_config", "clip_text_model"), ("vision_config", "clip_vision_model")),
    "siglip": _parts(("text_config", "siglip_text_model"),
                     ("vision_config", "siglip_vision_model")),
    "gemma3": _parts(("text_config", "gemma3_text"), ("vision_config", "siglip_vision_model")),
    "llava": _parts(("text_config", "llama"), ("vision_config", "clip_vision_model")),
    "encoder-decoder": _parts(("encoder", "bert"), ("decoder", "bert")),
    "vision-encoder-decoder": _parts(("encoder", "vit"), ("decoder", "gpt2")),
}
_MADE = {"": PretrainedConfig}


def config_class(model_type):
    """The class of configurations of a kind of models, or Unknown."""
    made = _MADE.get(model_type)
    if made is None:
        row = TABLE.get(model_type)
        if row is None:
            return _tilewise.unknown("models of type '" + str(model_type) + "' are not known")
        name, names, fields = row
        made = type(name, (PretrainedConfig,), {
            "model_type": model_type, "attribute_map": names, "_fields": fields,
            "__module__": "transformers"})
        if "num_key_value_heads" in fields and model_type not in _FINISH:
            _FINISH[model_type] = _decoder
        _MADE[model_type] = made
    return made


def config_of(values):
    """A configuration from the values of a config.json."""
    cls = config_class(values.get("model_type", ""))
    return cls if _tilewise.is_unknown(cls) else cls.from_dict(values)


PreTrainedConfig = PretrainedConfig
