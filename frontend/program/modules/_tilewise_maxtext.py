"""The decoder that a MaxText configuration describes, and its step of training.

`build(path, overrides)` takes the file of a model (configs/models/NAME.yml) or a base.yml whose
model_name, or that of the overrides, names one. Weights and sizes are those of MaxText; the
layers are built as the decoders of the module transformers, which compute the same.
"""

import _python
import _tilewise
import torch

_BLOCKS = {"llama2": "llama", "mistral": "mistral", "mixtral": "mixtral", "gemma": "gemma",
           "gemma2": "gemma2", "gemma3": "gemma3_text", "qwen2": "qwen2", "qwen3": "qwen3",
           "qwen3_moe": "qwen3_moe", "deepseek": "deepseek_v3", "olmo3": None, "default": "llama",
           "gpt3": "gpt2", "simple": None}


def _read(path):
    text = _python.read_file(path)
    return None if text is None else _python.yaml(text)


def values_of(path, overrides=None):
    """All values: those of base.yml, of the model, and what the command line changes."""
    own = _read(path)
    if own is None:
        return _tilewise.unknown("the configuration " + str(path) + " is not there")
    own, overrides = dict(own), dict(overrides or {})
    folder = path.rpartition("/")[0]
    is_base = "base_output_directory" in own and "model_name" in own
    values = {}
    if not is_base:
        parent = own.pop("base_config", None)
        places = [folder + "/" + parent] if parent else []
        places += [folder + "/../base.yml", folder + "/base.yml"]
        for place in places:
            base = _read(place)
            if base is not None:
                values.update(base)
                break
    values.update(own)
    name = overrides.get("model_name", values.get("model_name") if is_base else None)
    if name not in (None, "default"):
        for place in (folder + "/models/" + name + ".yml", folder + "/" + name + ".yml"):
            model = _read(place)
            if model is not None:
                values.update(model)
                break
        else:
            _tilewise.note("the model " + name + " has no file beside " + path)
    values.update(overrides)
    return values


def _scaled(v):
    """Sizes, which global_parameter_scale makes larger in the order that MaxText has."""
    factor = v.get("global_parameter_scale", 1) or 1
    log = 0
    while 2 ** (log + 1) <= factor:
        log += 1
    layers, rest = log // 3, log % 3
    heads = mlp = layers + (1 if rest > 0 else 0)
    emb = layers + (1 if rest > 1 else 0)
    return {"emb": v["base_emb_dim"] * 2 ** emb, "heads": v["base_num_query_heads"] * 2 ** heads,
            "kv": v["base_num_kv_heads"] * 2 ** heads, "mlp": v["base_mlp_dim"] * 2 ** mlp,
            "layers": v["base_num_decoder_layers"] * 2 ** layers}


def _act(v):
    name = (v.get("mlp_activations") or ["silu"])[0]
    return {"gelu": "gelu_pytorch_tanh"}.get(name, name)


def config_of(v):
    from transformers.configuration_utils import config_class
    block = v.get("decoder_block", "llama2")
    kind = _BLOCKS.get(block)
    if kind is None:
        return _tilewise.unknown("decoder_block '" + str(block) + "' of MaxText is not known")
    s = _scaled(v)
    if kind == "gpt2":
        size = v.get("trainable_position_size", -1)
        return config_class(kind)(
            vocab_size=v["vocab_size"], n_positions=size if size > 0 else v["max_target_length"],
            n_embd=s["emb"], n_layer=s["layers"], n_head=s["heads"], n_inner=s["mlp"],
            activation_function=_act(v), embd_pdrop=0.0, resid_pdrop=0.0, attn_pdrop=0.0,
            layer_norm_epsilon=v["normalization_layer_epsilon"],
            tie_word_embeddings=v.get("logits_via_embedding", False))
    if kind == "gemma2":
        s["layers"] *= 2  # a layer of MaxText is one with a window and one without
    if kind == "llama" and v.get("attention_bias"):
        kind = "qwen2"  # biases of queries, keys and values
    more = {}
    experts = v.get("num_experts", 1)
    if kind == "mixtral" or kind == "qwen3_moe":
        more = {"num_experts_per_tok": v["num_experts_per_tok"]}
        more["num_local_experts" if kind == "mixtral" else "num_experts"] = experts
        width = v.get("base_moe_mlp_dim", -1)
        if kind == "qwen3_moe":
            more["moe_intermediate_size"] = width
            more["norm_topk_prob"] = v.get("norm_topk_prob", False)
        elif width > 0:
            s["mlp"] = width
    elif kind == "deepseek_v3":
        few = v.get("q_lora_rank", 0)
        more = {"moe_intermediate_size": v["base_moe_mlp_dim"], "n_routed_experts": experts,
                "n_shared_experts": v.get("shared_experts", 0),
                "num_experts_per_tok": v["num_experts_per_tok"],
                "first_k_dense_replace": v.get("first_num_dense_layers", 0),
                "q_lora_rank": few if few > 0 else None, "kv_lora_rank": v["kv_lora_rank"],
                "qk_nope_head_dim": v["qk_nope_head_dim"],
                "qk_rope_head_dim": v["qk_rope_head_dim"], "v_head_dim": v["v_head_dim"],
                "n_group": v.get("n_routing_groups", -1), "topk_group": v.get(
                    "topk_routing_group", -1),
                "scoring_func": v.get("routed_score_func") or "softmax",
                "routed_scaling_factor": v.get("routed_scaling_factor", 1.0)}
    elif experts > 1:
        return _tilewise.unknown("experts in a decoder_block '" + str(block) + "'")
    if kind in ("gemma2", "gemma3_text"):
        more["attn_logit_softcapping"] = v.get("attn_logits_soft_cap") or None
        more["final_logit_softcapping"] = v.get("final_logits_soft_cap") or None
        more["query_pre_attn_scalar"] = v["head_dim"]
    window = v.get("sliding_window_size", 0)
    if window:
        more["sliding_window"] = window
    elif kind == "mistral":
        more["sliding_window"] = None
    return config_class(kind)(
        vocab_size=v["vocab_size"], hidden_size=s["emb"], num_hidden_layers=s["layers"],
        num_attention_heads=s["heads"], num_key_value_heads=s["kv"],
        intermediate_size=s["mlp"], head_dim=v["head_dim"], hidden_act=_act(v),
        hidden_activation=_act(v), max_position_embeddings=v["max_target_length"],
        rms_norm_eps=v["normalization_layer_epsilon"],
        rope_theta=float(v.get("rope_max_timescale", 10000)),
        tie_word_embeddings=bool(v.get("logits_via_embedding")), **more)


def _model(v):
    from transformers import _registry
    from transformers.modeling_utils import code_of, construct
    config = config_of(v)
    if _tilewise.is_unknown(config):
        return config
    cls = _registry.make(config.model_type, "LMHeadModel" if config.model_type == "gpt2"
                         else "ForCausalLM")
    model = construct(cls, config, code_of(v.get("weight_dtype", "float32")))
    if not _tilewise.is_unknown(model) and v.get("dtype") == "bfloat16" and \
            v.get("weight_dtype", "float32") == "float32":
        # Products are made in bfloat16, weights stay in single precision.
        before = model.forward

        def forward(*args, **kwargs):
            with torch.autocast("xla", torch.bfloat16):
                return before(*args, **kwargs)
        model.__dict__["forward"] = forward
    return model


def build(path, overrides=None):
    values = values_of(path, overrides)
    return values if _tilewise.is_unknown(values) else _model(values)


def train(path, overrides=None):
    """One step, as MaxText's trainer makes it."""
    v = values_of(path, overrides)
    if _tilewise.is_unknown(v):
        _tilewise.note(_tilewise.reason(v))
        return v
    model = _model(v)
    if _tilewise.is_unknown(model):
        _tilewise.note("the model is not known: " + _tilewise.reason(model))
        return model
    from torch import _tensor as _t
    _t.state.per_core = True
    size = v["per_device_batch_size"]
    if size < 1:
        _tilewise.note("less than one example a core: one is taken")
    size = max(int(size), 1)
    _tilewise.record("batch", size=size, what="MaxText", per_core=True)
    _tilewise.record("steps", count=v.get("steps"))
    n = v.get("gradient_accumulation_steps", 1)
    if n > 1:
        _tilewise.record("accumulation", steps=n)
    if v.get("remat_policy", "full") not in ("none", None):
        model.gradient_checkpointing_enable()
    kind = v.get("opt_type", "adamw")
    lr, params = v.get("learning_rate"), list(model.parameters())
    if kind == "sgd":
        optimizer = torch.optim.SGD(params, lr=lr)
    else:
        if kind not in ("adamw", "adam_pax"):
            _tilewise.note("the optimizer " + str(kind) + " is taken as AdamW")
        optimizer = torch.optim.AdamW(params, lr=lr, betas=(v["adam_b1"], v["adam_b2"]),
                                      eps=v["adam_eps"], weight_decay=v["adam_weight_decay"])
    length = v["max_target_length"]

    def data():
        return _t.wrap(_tilewise.input([size, length], "s32", "", 0))
    model.train()
    loss = model(data(), labels=data().long())["loss"]
    loss.backward()
    optimizer.step()
    return model
