"""PEFT: a base model that stays as it is, with a few weights beside it that are trained."""

import _tilewise
import torch
from torch.nn import Dropout, Embedding, Identity, Linear, Module, ModuleDict, Parameter
from torch.nn import functional as F
from transformers.pytorch_utils import Conv1D

__version__ = "0.15.0"

# Modules that are taken when a configuration names none, as the documentation lists them.
_TARGETS = {
    "gpt2": ["c_attn"], "gpt_bigcode": ["c_attn"], "bloom": ["query_key_value"],
    "falcon": ["query_key_value"], "gpt_neox": ["query_key_value"], "gptj": ["q_proj", "v_proj"],
    "gpt_neo": ["q_proj", "v_proj"], "t5": ["q", "v"], "mt5": ["q", "v"], "umt5": ["q", "v"],
    "bert": ["query", "value"], "roberta": ["query", "value"], "xlm-roberta": ["query", "value"],
    "electra": ["query", "value"], "albert": ["query", "value"], "deberta": ["in_proj"],
    "deberta-v2": ["query_proj", "value_proj"], "distilbert": ["q_lin", "v_lin"],
    "vit": ["query", "value"], "phi3": ["qkv_proj"], "mpt": ["Wqkv"]}


class TaskType:
    SEQ_CLS, SEQ_2_SEQ_LM, CAUSAL_LM, TOKEN_CLS, QUESTION_ANS, FEATURE_EXTRACTION = (
        "SEQ_CLS", "SEQ_2_SEQ_LM", "CAUSAL_LM", "TOKEN_CLS", "QUESTION_ANS",
        "FEATURE_EXTRACTION")


class PeftType:
    LORA, PREFIX_TUNING, PROMPT_TUNING, P_TUNING, IA3, ADALORA = (
        "LORA", "PREFIX_TUNING", "PROMPT_TUNING", "P_TUNING", "IA3", "ADALORA")


class PeftConfig:
    peft_type = None
    inference_mode = False
    modules_to_save = target_modules = task_type = base_model_name_or_path = None

    def __init__(self, *args, **values):
        for name, value in zip(self._fields, args):
            setattr(self, name, value)
        for name, value in values.items():
            setattr(self, name, value)

    _fields = ()

    @classmethod
    def from_pretrained(cls, name, **kwargs):
        return _tilewise.unknown("an adapter that is loaded: " + str(name))

    def to_dict(self):
        return dict(self.__dict__)

    def save_pretrained(self, *args, **kwargs):
        pass


class LoraConfig(PeftConfig):
    peft_type = PeftType.LORA
    r, lora_alpha, lora_dropout, bias = 8, 8, 0.0, "none"
    fan_in_fan_out, use_rslora, use_dora, init_lora_weights = False, False, False, True
    layers_to_transform = exclude_modules = None
    _fields = ("task_type",)


class AdaLoraConfig(LoraConfig):
    peft_type = PeftType.ADALORA


class IA3Config(PeftConfig):
    peft_type = PeftType.IA3


class PrefixTuningConfig(PeftConfig):
    peft_type = PeftType.PREFIX_TUNING


class PromptTuningConfig(PeftConfig):
    peft_type = PeftType.PROMPT_TUNING
    num_virtual_tokens = 20


class PromptEncoderConfig(PromptTuningConfig):
    peft_type = PeftType.P_TUNING


class _Lora(Module):
    """A layer with a product of two narrow matrices beside it."""

    def __init__(self, base, config):
        Module.__init__(self)
        self.base_layer = base
        r, kind = config.r, base.weight.dtype
        if isinstance(base, Linear):
            i, o = base.in_features, base.out_features
        elif isinstance(base, Embedding):
            i, o = base.num_embeddings, base.embedding_dim
        else:
            i, o = base.nx, base.nf
        kind = torch.float32 if kind.itemsize == 2 else kind
        own = self.__dict__
        own["scaling"] = config.lora_alpha / (r ** 0.5 if config.use_rslora else r)
        own["table"] = isinstance(base, Embedding)
        if self.table:
            self.lora_embedding_A = Parameter(torch.zeros(r, i, dtype=kind))
            self.lora_embedding_B = Parameter(torch.zeros(o, r, dtype=kind))
            return
        rate = config.lora_dropout
        self.lora_dropout = ModuleDict({"default": Dropout(rate) if rate else Identity()})
        self.lora_A = ModuleDict({"default": Linear(i, r, False, dtype=kind)})
        self.lora_B = ModuleDict({"default": Linear(r, o, False, dtype=kind)})
        if config.use_dora:
            self.lora_magnitude_vector = Parameter(torch.zeros(o, dtype=kind))

    @property
    def weight(self):
        return self.base_layer.weight

    @property
    def bias(self):
        return self.base_layer.bias

    def forward(self, x, *args, **kwargs):
        y = self.base_layer(x)
        if self.table:
            a = F.embedding(x, self.lora_embedding_A.transpose(0, 1))
            return y + (a.matmul(self.lora_embedding_B.transpose(0, 1)) * self.scaling).to(y.dtype)
        a = self.lora_A["default"]
        z = self.lora_B["default"](a(self.lora_dropout["default"](x.to(a.weight.dtype))))
        return y + (z * self.scaling).to(y.dtype)


def _wanted(path, module, targets, model):
    if not isinstance(module, (Linear, Conv1D, Embedding)):
        return False
    if isinstance(targets, str):
        if targets == "all-linear":
            return not isinstance(module, Embedding) and \
                module is not getattr(model, "get_output_embeddings", lambda: None)()
        import re
        return re.fullmatch(targets, path) is not None
    return any([path == t or path.endswith("." + t) for t in targets])


def _add(model, config):
    kind = getattr(getattr(model, "config", None), "model_type", "")
    targets = config.target_modules
    if targets is None:
        targets = _TARGETS.get(kind, ["q_proj", "v_proj"])
    found = [(p, m) for p, m in model.named_modules() if _wanted(p, m, targets, model)]
    if not found:
        raise ValueError("Target modules " + str(targets) + " not found in the base model")
    for path, module in found:
        parent, _, name = path.rpartition(".")
        setattr(model.get_submodule(parent), name, _Lora(module, config))
    return model


class _Holder(Module):
    """What PEFT keeps the model in: `base_model.model`."""

    def __init__(self, model):
        Module.__init__(self)
        self.model = model

    def forward(self, *args, **kwargs):
        return self.model(*args, **kwargs)

    def __getattr__(self, name):
        try:
            return Module.__getattr__(self, name)
        except AttributeError:
            if name == "model":
                raise
            return getattr(self.model, name)


class PeftModel(Module):
    def __init__(self, model, peft_config=None, adapter_name="default", **options):
        Module.__init__(self)
        own = self.__dict__
        own["peft_config"] = {adapter_name: peft_config}
        own["active_adapter"] = adapter_name
        config = peft_config
        for p in model.parameters():
            p.requires_grad_(False)
        if config.peft_type in (PeftType.LORA, PeftType.ADALORA):
            _add(model, config)
        elif config.peft_type in (PeftType.PROMPT_TUNING, PeftType.P_TUNING):
            width = model.config.hidden_size
            self.prompt = Embedding(config.num_virtual_tokens, width)
            _tilewise.note("tokens that a prompt adds are not followed")
        else:
            _tilewise.note("adapters of kind " + str(config.peft_type) + " are not followed")
        self.base_model = _Holder(model)
        saved = list(config.modules_to_save or [])
        if config.task_type in ("SEQ_CLS", "TOKEN_CLS"):
            saved += ["classifier", "score"]
        for path, p in model.named_parameters():
            words = path.split(".")
            if any([s in words for s in saved]) or (
                    getattr(config, "bias", "none") == "all" and words[-1] == "bias"):
                p.requires_grad_(True)

    @property
    def _parts(self):
        return self.base_model.model

    @property
    def config(self):
        return self.base_model.model.config

    def forward(self, *args, **kwargs):
        return self.base_model.model(*args, **kwargs)

    def __getattr__(self, name):
        try:
            return Module.__getattr__(self, name)
        except AttributeError:
            if name in ("base_model", "model"):
                raise
            return getattr(self.base_model.model, name)

    def get_base_model(self):
        return self.base_model.model

    def merge_and_unload(self, *args, **kwargs):
        return self.base_model.model

    unload = merge_and_unload

    def get_nb_trainable_parameters(self):
        sizes = [(p.numel(), p.requires_grad) for p in self.parameters()]
        return sum([n for n, t in sizes if t]), sum([n for n, _ in sizes])

    def print_trainable_parameters(self):
        pass

    def save_pretrained(self, *args, **kwargs):
        pass

    push_to_hub = add_adapter = set_adapter = load_adapter = enable_adapter_layers = save_pretrained

    @classmethod
    def from_pretrained(cls, model, model_id, adapter_name="default", is_trainable=False,
                        config=None, **kwargs):
        _tilewise.note("the adapter " + str(model_id) + " is not known; its base model is taken")
        return model


PeftModelForCausalLM = PeftModelForSeq2SeqLM = PeftModelForSequenceClassification = PeftModel
PeftModelForTokenClassification = PeftMixedModel = PeftModel


class AutoPeftModelForCausalLM:
    @classmethod
    def from_pretrained(cls, name, **kwargs):
        return _tilewise.unknown("an adapter that is loaded: " + str(name))


def get_peft_model(model, peft_config, adapter_name="default", **options):
    if _tilewise.is_unknown(model):
        return model
    return PeftModel(model, peft_config, adapter_name)


def prepare_model_for_kbit_training(model, use_gradient_checkpointing=True,
                                    gradient_checkpointing_kwargs=None):
    if _tilewise.is_unknown(model):
        return model
    # A checkpoint may be stored in few bits without a word in the program.
    _tilewise.record("few_bits")
    _tilewise.note("weights that are loaded in few bits are counted in full")
    for p in model.parameters():
        p.requires_grad_(False)
    if use_gradient_checkpointing:
        model.gradient_checkpointing_enable()
    return model


prepare_model_for_int8_training = prepare_model_for_kbit_training


def get_peft_model_state_dict(model, *args, **kwargs):
    return {}


def set_peft_model_state_dict(model, state_dict, *args, **kwargs):
    return None


def inject_adapter_in_model(peft_config, model, adapter_name="default", **options):
    return _add(model, peft_config)


class _OtherConfig(LoraConfig):
    def __init__(self, *args, **values):
        super().__init__(*args, **values)
        _tilewise.note("the adapter of peft." + type(self).__name__ +
                       " is not known; LoRA's of rank " + str(self.r) + " stands in for it")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name.endswith("Config") and name[:1].isupper():
        return type(name, (_OtherConfig,), {"__module__": "peft"})
    return _tilewise.unknown("peft." + name + " is not among what tilewise knows")
