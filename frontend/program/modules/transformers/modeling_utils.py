"""What all models share: where they come from, their embeddings, how they are saved."""

import _tilewise
from torch import _tensor as _t
from torch.nn import Embedding, Linear, Module
from transformers import _batch
from transformers.configuration_utils import PretrainedConfig, config_class

_IGNORED = ("torch_dtype", "dtype", "device_map", "low_cpu_mem_usage", "quantization_config",
            "load_in_8bit", "load_in_4bit", "trust_remote_code", "cache_dir", "revision", "token",
            "use_auth_token", "from_tf", "from_flax", "ignore_mismatched_sizes", "max_memory",
            "offload_folder", "local_files_only", "use_safetensors", "force_download", "state_dict",
            "output_loading_info", "variant", "subfolder", "use_flash_attention_2", "proxies",
            "resume_download", "mirror", "_fast_init", "adapter_kwargs", "offload_state_dict",
            "key_mapping", "tp_plan", "weights_only", "code_revision", "commit_hash",
            "attn_implementation")


def code_of(kind, config=None):
    """The dtype that `torch_dtype` names, or None for single precision."""
    if kind == "auto":
        kind = getattr(config, "torch_dtype", None)
    if kind is None or _tilewise.is_unknown(kind):
        return None
    if isinstance(kind, str):
        return _t._DTYPES.get(kind.split(".")[-1])
    return kind


def construct(cls, config, kind=None, *args, **kwargs):
    """A model whose weights have a type of their own."""
    if kind is None or kind is _t.state.default:
        return cls(config, *args, **kwargs)
    before = _t.state.default
    _t.state.default = kind
    try:
        return cls(config, *args, **kwargs)
    finally:
        _t.state.default = before


class PreTrainedModel(Module):
    config_class = PretrainedConfig
    base_model_prefix = "model"
    main_input_name = "input_ids"
    supports_gradient_checkpointing = True
    is_parallelizable = False
    is_gradient_checkpointing = False
    gradient_checkpointing = False
    _tied_weights_keys = None
    _no_split_modules = _keys_to_ignore_on_load_missing = _keys_to_ignore_on_save = ()
    generation_config = None
    hf_device_map = None

    def __init__(self, config, *inputs, **kwargs):
        Module.__init__(self)
        own = self.__dict__
        own["config"] = config
        own["name_or_path"] = ""
        own["warnings_issued"] = {}
        own["generation_config"] = _Generation(config)

    def post_init(self):
        self.tie_weights()
        _batch.state.model = self

    def init_weights(self):
        self.tie_weights()

    def _init_weights(self, module):
        pass

    def _backward_compatibility_gradient_checkpointing(self):
        pass

    # -- where it comes from

    @classmethod
    def _from_config(cls, config, **kwargs):
        kind = code_of(kwargs.pop("torch_dtype", None) or kwargs.pop("dtype", None), config)
        kwargs.pop("attn_implementation", None)
        return construct(cls, config, kind, **kwargs)

    from_config = _from_config

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path=None, *model_args, config=None,
                        **kwargs):
        if not isinstance(config, PretrainedConfig):
            name = config if isinstance(config, str) else pretrained_model_name_or_path
            own = cls.config_class
            from transformers import _hub
            values = _hub.config_dict(name, kwargs.get("subfolder"))
            if _tilewise.is_unknown(values):
                return values
            if own is PretrainedConfig or not own.model_type:
                own = config_class(values.get("model_type", ""))
            options = {k: v for k, v in kwargs.items() if k not in _IGNORED}
            config, rest = own.from_dict(values, return_unused_kwargs=True, **options)
        else:
            rest = {k: v for k, v in kwargs.items() if k not in _IGNORED}
        wanted = kwargs.get("torch_dtype", kwargs.get("dtype"))
        if kwargs.get("quantization_config") is not None or kwargs.get("load_in_8bit") or \
                kwargs.get("load_in_4bit"):
            _tilewise.record("few_bits")
            _tilewise.note("weights that are loaded in few bits are counted in full")
        model = construct(cls, config, code_of(wanted, config), *model_args, **rest)
        if not _tilewise.is_unknown(model):
            model.__dict__["name_or_path"] = pretrained_model_name_or_path
            model.eval()
        if kwargs.get("output_loading_info"):
            return model, {"missing_keys": [], "unexpected_keys": [], "mismatched_keys": []}
        return model

    # -- embeddings

    @property
    def base_model(self):
        return getattr(self, self.base_model_prefix, self)

    def get_input_embeddings(self):
        base = self.base_model
        if _tilewise.is_unknown(base):
            return None
        if base is not self:
            # A base of the program's own may be any module.
            return base.get_input_embeddings() if hasattr(base, "get_input_embeddings") else \
                PreTrainedModel._table_of(base)
        return self._table_of()

    def _table_of(self):
        for name in ("embed_tokens", "wte", "word_embeddings", "embed_in", "shared"):
            if name in self._modules:
                return self._modules[name]
        embeddings = self._modules.get("embeddings")
        return None if embeddings is None else getattr(
            embeddings, "tok_embeddings", None) or getattr(embeddings, "word_embeddings", None)

    def set_input_embeddings(self, value):
        base = self.base_model
        if base is not self:
            base.set_input_embeddings(value)
            return
        for holder in (self, self._modules.get("embeddings")):
            if holder is None:
                continue
            for name in ("embed_tokens", "wte", "word_embeddings", "embed_in", "shared"):
                if name in holder._modules:
                    setattr(holder, name, value)
                    return

    def get_output_embeddings(self):
        for name in ("lm_head", "embed_out"):
            if name in self._modules:
                return self._modules[name]
        return None

    def set_output_embeddings(self, value):
        setattr(self, "embed_out" if "embed_out" in self._modules else "lm_head", value)

    def tie_weights(self):
        if not getattr(self.config, "tie_word_embeddings", True):
            return
        out = self.get_output_embeddings()
        if isinstance(out, Linear):
            table = self.get_input_embeddings()
            if table is not None and table.weight.shape == out.weight.shape:
                out.weight = table.weight

    def resize_token_embeddings(self, new_num_tokens=None, pad_to_multiple_of=None,
                                mean_resizing=True):
        old = self.get_input_embeddings()
        n = old.num_embeddings if new_num_tokens is None else new_num_tokens
        if _tilewise.is_unknown(n):
            _tilewise.note("the number of tokens is not known; the embeddings stay as they are")
            return old
        if pad_to_multiple_of:
            n = -(-n // pad_to_multiple_of) * pad_to_multiple_of
        if n == old.num_embeddings:
            return old
        kind = old.weight.dtype
        new = Embedding(n, old.embedding_dim, old.padding_idx, dtype=kind)
        self.set_input_embeddings(new)
        out = self.get_output_embeddings()
        if isinstance(out, Linear):
            fresh = Linear(out.in_features, n, out.bias is not None, dtype=kind)
            self.set_output_embeddings(fresh)
        self.config.vocab_size = n
        if hasattr(self, "vocab_size"):
            self.__dict__["vocab_size"] = n
        self.tie_weights()
        return new

    def num_parameters(self, only_trainable=False, exclude_embeddings=False):
        skip = ()
        if exclude_embeddings:
            skip = [id(m.weight) for m in self.modules() if isinstance(m, Embedding)]
        return sum([p.numel() for p in self.parameters()
                    if id(p) not in skip and (p.requires_grad or not only_trainable)])

    def get_memory_footprint(self, return_buffers=True):
        return sum([p.numel() * p.element_size() for p in self.parameters()])

    # -- training

    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None):
        _tilewise.record("remat")
        self.__dict__["is_gradient_checkpointing"] = True
        self.config.__dict__["gradient_checkpointing"] = True

    def gradient_checkpointing_disable(self):
        self.__dict__["is_gradient_checkpointing"] = False

    def enable_input_require_grads(self):
        pass

    disable_input_require_grads = _nothing = enable_input_require_grads

    def freeze_feature_encoder(self):
        for name, p in self.named_parameters():
            if "feature_extractor" in name:
                p.requires_grad_(False)

    freeze_feature_extractor = freeze_feature_encoder

    def add_adapter(self, adapter_config, adapter_name=None):
        """A few weights beside those of the model, which stay as they are."""
        from peft import inject_adapter_in_model
        for p in self.parameters():
            p.requires_grad_(False)
        inject_adapter_in_model(adapter_config, self)

    def add_model_tags(self, *args, **kwargs):
        pass

    save_pretrained = push_to_hub = add_model_tags
    register_for_auto_class = prune_heads = compile = parallelize = deparallelize = add_model_tags
    set_attn_implementation = warn_if_padding_and_no_attention_mask = add_model_tags
    estimate_tokens = create_model_card = add_model_tags
    can_generate = classmethod(lambda cls: True)

    def floating_point_ops(self, input_dict, exclude_embeddings=True):
        return 0

    def generate(self, *args, **kwargs):
        return _tilewise.unknown("tokens that a model generates")

    @property
    def device(self):
        return _t._DEVICE

    @property
    def dtype(self):
        for p in self.parameters():
            return p.dtype
        return _t.float32

    @property
    def framework(self):
        return "pt"

    @property
    def loss_function(self):
        from transformers._heads import causal_loss
        return lambda logits, labels, vocab_size=None, **kwargs: causal_loss(logits, labels)

    def get_extended_attention_mask(self, attention_mask, input_shape, device=None, dtype=None):
        from transformers._masks import additive
        return additive(attention_mask)

    def invert_attention_mask(self, encoder_attention_mask):
        from transformers._masks import additive
        return additive(encoder_attention_mask)

    def get_head_mask(self, head_mask, num_hidden_layers, is_attention_chunked=False):
        return [None] * num_hidden_layers

    @property
    def dummy_inputs(self):
        return {"input_ids": _t.zeros(2, 8, dtype=_t.int64)}


class _Generation:
    """What models are told about the text that they are to make."""

    def __init__(self, config):
        self.config = config

    def __getattr__(self, name):
        if name[:2] == "__" or name == "config":
            raise AttributeError(name)
        return getattr(self.config, name, None)

    def update(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def to_dict(self):
        return {}

    def save_pretrained(self, *args, **kwargs):
        pass


def unwrap_model(model, recursive=False):
    while hasattr(model, "module"):
        model = model.module
    return model
