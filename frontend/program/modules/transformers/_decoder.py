"""Decoders of the kind of Llama: one build, with switches for what differs."""

import torch
from torch.nn import Dropout, Embedding, Linear, Module, ModuleList
from torch.nn import functional as F
from transformers import _heads, _masks
from transformers._parts import (Attention, GatedMLP, MLPS, NORMS, RMSNorm, apply_rope,
                                 apply_rope_pairs, rope)
from transformers.configuration_utils import config_class
from transformers.modeling_outputs import made
from transformers.modeling_utils import PreTrainedModel

_SANDWICH = ("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
             "post_feedforward_layernorm")
_KINDS = {
    "qwen2": {"qkv_bias": True}, "qwen2_moe": {"qkv_bias": True},
    "qwen3": {"qk_norm": "head"}, "qwen3_moe": {"qk_norm": "head"},
    "gemma": {"norm": "shifted"},
    "gemma2": {"norm": "shifted", "block": "sandwich", "names": _SANDWICH},
    "gemma3_text": {"norm": "shifted", "block": "sandwich", "names": _SANDWICH,
                    "qk_norm": "head"},
    "phi": {"norm": "layer", "block": "parallel", "mlp": "fc", "qkv_bias": True, "o_bias": True,
            "mlp_bias": True, "out_name": "dense", "last": "final_layernorm", "head_bias": True},
    "phi3": {"fused_qkv": True, "mlp": "fused"},
    "stablelm": {"norm": "layer"}, "olmo": {"norm": "plain"}, "granite": {},
    "olmo2": {"block": "post", "qk_norm": "full",
              "names": ("post_attention_layernorm", "post_feedforward_layernorm")},
    "olmoe": {"qk_norm": "full"}, "cohere": {"norm": "scaled", "block": "parallel"},
    "starcoder2": {"norm": "layer", "mlp": "c"},
    "glm": {"mlp": "fused", "pairs": True, "o_bias": False},
    "glm4": {"mlp": "fused", "pairs": True, "o_bias": False, "block": "sandwich",
             "names": ("input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm",
                       "post_mlp_layernorm")},
}


class Switches:
    def __init__(self, config, kind):
        c = config.__dict__
        self.norm, self.block, self.mlp, self.out_name = "rms", "pre", "gated", "o_proj"
        self.names = ("input_layernorm", "post_attention_layernorm")
        self.last, self.head_bias, self.fused_qkv, self.pairs = "norm", False, False, False
        self.qkv_bias = self.o_bias = bool(c.get("attention_bias"))
        self.mlp_bias = bool(c.get("mlp_bias"))
        self.qk_norm = self.scale = self.cap = self.final_cap = None
        self.eps = c.get("rms_norm_eps")
        self.act = c.get("hidden_activation") or c["hidden_act"]
        self.embed_scale = self.logit_scale = self.residual = None
        self.window, self.pattern = c.get("sliding_window"), 1
        self.no_rope = None
        self.__dict__.update(_KINDS.get(kind, {}))
        if self.norm in ("layer", "scaled"):
            self.eps = c.get("layer_norm_eps") if kind != "starcoder2" else c["norm_epsilon"]
        if kind[:5] == "gemma":
            self.embed_scale = c["hidden_size"] ** 0.5
            if kind != "gemma":
                self.scale = c["query_pre_attn_scalar"] ** -0.5
                self.cap, self.final_cap = (c["attn_logit_softcapping"],
                                            c["final_logit_softcapping"])
                self.pattern = 2 if kind == "gemma2" else c["sliding_window_pattern"] or 6
        elif kind in ("qwen2", "qwen3", "qwen2_moe", "qwen3_moe"):
            if not c.get("use_sliding_window"):
                self.window = None
        elif kind == "stablelm":
            self.qkv_bias, self.o_bias = c["use_qkv_bias"], False
            self.block = "parallel" if c["use_parallel_residual"] else "pre"
            self.qk_norm = "stable" if c["qk_layernorm"] else None
        elif kind == "phi":
            self.qk_norm = "phi" if c["qk_layernorm"] else None
        elif kind == "cohere":
            self.qk_norm = "each" if c["use_qk_norm"] else None
            self.logit_scale, self.pairs = c["logit_scale"], True
        elif kind == "starcoder2":
            self.qkv_bias = self.o_bias = self.mlp_bias = c["use_bias"]
        elif kind == "granite":
            self.embed_scale, self.residual = c["embedding_multiplier"], c["residual_multiplier"]
            self.scale, self.logit_scale = c["attention_multiplier"], 1 / c["logits_scaling"]
        elif kind == "smollm3":
            self.no_rope = c["no_rope_layer_interval"]

    def rotary(self, i):
        if self.no_rope and (i + 1) % self.no_rope == 0:
            return None
        return apply_rope_pairs if self.pairs else apply_rope

    def slides(self, i):
        """Whether layer i sees a window only."""
        return self.window is not None and (self.pattern == 1 or (i + 1) % self.pattern != 0)


class DecoderLayer(Module):
    def __init__(self, config, layer_idx=0, s=None, kind=None):
        Module.__init__(self)
        kind = kind or config.model_type
        s = s or Switches(config, kind)
        norm, h, eps = NORMS[s.norm], config.hidden_size, s.eps
        own = self.__dict__
        own["block"], own["names"], own["residual"] = s.block, s.names, s.residual
        own["hidden_size"] = h
        if kind[:8] == "deepseek":
            from transformers._mla import LatentAttention
            self.self_attn = LatentAttention(config, layer_idx)
        else:
            self.self_attn = Attention(config, layer_idx, s)
        experts = None
        if _EXPERTS.get(kind):
            from transformers._moe import perceptron
            experts = perceptron(config, s, kind, layer_idx)
        own["moe"] = "block_sparse_moe" if kind == "mixtral" else "mlp"
        setattr(self, own["moe"], experts or MLPS[s.mlp](config, s))
        names = s.names[:1] if s.block == "parallel" and kind != "stablelm" else s.names
        if s.block == "parallel" and kind == "stablelm":
            names = s.names[:1]
        for name in names:
            setattr(self, name, norm(h, eps))

    def forward(self, hidden_states, attention_mask=None, position_embeddings=None, causal=True,
                **kwargs):
        x, names, mlp = hidden_states, self.names, getattr(self, self.moe)
        if self.block == "post":
            y, _ = self.self_attn(x, position_embeddings, attention_mask, causal)
            x = x + getattr(self, names[0])(y)
            return x + getattr(self, names[1])(mlp(x))
        y = getattr(self, names[0])(x)
        if self.block == "parallel":
            return x + self.self_attn(y, position_embeddings, attention_mask, causal)[0] + mlp(y)
        y, _ = self.self_attn(y, position_embeddings, attention_mask, causal)
        if self.block == "sandwich":
            x = x + getattr(self, names[1])(y)
            return x + getattr(self, names[3])(mlp(getattr(self, names[2])(x)))
        if self.residual is not None:
            x = x + y * self.residual
            return x + mlp(getattr(self, names[1])(x)) * self.residual
        x = x + y
        return x + mlp(getattr(self, names[1])(x))


_EXPERTS = {"mixtral": 1, "qwen2_moe": 1, "qwen3_moe": 1, "olmoe": 1, "deepseek_v2": 1,
            "deepseek_v3": 1}


class DecoderPreTrainedModel(PreTrainedModel):
    _kind = "llama"


class DecoderModel(DecoderPreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        c, kind = config, self._kind
        s = Switches(c, kind)
        self.__dict__["switches"] = s
        self.__dict__["padding_idx"], self.__dict__["vocab_size"] = c.pad_token_id, c.vocab_size
        self.embed_tokens = Embedding(c.vocab_size, c.hidden_size, c.pad_token_id)
        self.layers = ModuleList([DecoderLayer(c, i, s, kind)
                                  for i in range(c.num_hidden_layers)])
        setattr(self, s.last, NORMS[s.norm](c.hidden_size, s.eps))
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, position_ids=None,
                past_key_values=None, inputs_embeds=None, use_cache=None, output_attentions=None,
                output_hidden_states=None, return_dict=None, cache_position=None, **kwargs):
        s, c = self.switches, self.config
        x = self.embed_tokens(input_ids) if inputs_embeds is None else inputs_embeds
        if s.embed_scale is not None:
            x = x * s.embed_scale
        t = x.shape[1]
        positions = torch.arange(t) if position_ids is None else position_ids
        turns = self._turns(c, positions, x.dtype)
        local = turns
        if getattr(c, "rope_local_base_freq", None):
            local = rope(positions, c.head_dim, c.rope_local_base_freq, x.dtype)
        full = _masks.causal(attention_mask, t)
        near = full
        if s.window is not None and s.window < t:
            near = _masks.causal(attention_mask, t, s.window)
        states = [x]
        for i, layer in enumerate(self.layers):
            slides = s.slides(i)
            mask, causal = near if slides else full
            x = layer(x, mask, local if slides and s.pattern == 6 else turns, causal=causal)
            states.append(x)
        x = getattr(self, s.last)(x)
        wanted = output_hidden_states or (output_hidden_states is None and
                                          c.output_hidden_states)
        return made(return_dict, last_hidden_state=x,
                    hidden_states=tuple(states[:-1] + [x]) if wanted else None)

    def _turns(self, c, positions, dtype):
        if self._kind[:8] == "deepseek":
            return rope(positions, c.qk_rope_head_dim, c.rope_theta, dtype)
        dims = int(c.head_dim * (getattr(c, "partial_rotary_factor", None) or 1.0))
        return rope(positions, dims, c.rope_theta, dtype)


class DecoderForCausalLM(DecoderPreTrainedModel):
    _tied_weights_keys = ["lm_head.weight"]

    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.model = find(self._kind, "Model")(config)
        s = self.model.switches
        self.__dict__["vocab_size"] = config.vocab_size
        self.lm_head = Linear(config.hidden_size, config.vocab_size, s.head_bias)
        self.post_init()

    def get_decoder(self):
        return self.model

    def forward(self, input_ids=None, attention_mask=None, position_ids=None,
                past_key_values=None, inputs_embeds=None, labels=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None,
                cache_position=None, logits_to_keep=0, num_logits_to_keep=0, **kwargs):
        out = self.model(input_ids, attention_mask, position_ids, None, inputs_embeds,
                         output_hidden_states=output_hidden_states)
        logits = self.lm_head(out["last_hidden_state"])
        s = self.model.switches
        if s.logit_scale is not None:
            logits = logits * s.logit_scale
        if s.final_cap is not None:
            logits = (logits / s.final_cap).tanh() * s.final_cap
        loss = None if labels is None else _heads.causal_loss(logits, labels)
        return made(return_dict, loss=loss, logits=logits, hidden_states=out.hidden_states)


class DecoderForSequenceClassification(DecoderPreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.num_labels = config.num_labels
        self.model = find(self._kind, "Model")(config)
        self.score = Linear(config.hidden_size, config.num_labels, False)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, position_ids=None,
                past_key_values=None, inputs_embeds=None, labels=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        out = self.model(input_ids, attention_mask, position_ids, None, inputs_embeds)
        x = _heads.last_token(self.score(out["last_hidden_state"]), input_ids,
                              self.config.pad_token_id)
        loss = None if labels is None else _heads.class_loss(self.config, x, labels)
        return made(return_dict, loss=loss, logits=x)


class DecoderForTokenClassification(DecoderPreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.num_labels = config.num_labels
        self.model = find(self._kind, "Model")(config)
        self.dropout = Dropout(getattr(config, "classifier_dropout", None) or 0.1)
        self.score = Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, position_ids=None,
                past_key_values=None, inputs_embeds=None, labels=None, use_cache=None,
                output_attentions=None, output_hidden_states=None, return_dict=None, **kwargs):
        out = self.model(input_ids, attention_mask, position_ids, None, inputs_embeds)
        x = self.score(self.dropout(out["last_hidden_state"]))
        loss = None if labels is None else _heads.token_loss(x, labels)
        return made(return_dict, loss=loss, logits=x)


class DecoderForQuestionAnswering(DecoderPreTrainedModel):
    def __init__(self, config):
        PreTrainedModel.__init__(self, config)
        self.model = find(self._kind, "Model")(config)
        self.qa_outputs = Linear(config.hidden_size, 2)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, position_ids=None,
                past_key_values=None, inputs_embeds=None, start_positions=None,
                end_positions=None, output_attentions=None, output_hidden_states=None,
                return_dict=None, **kwargs):
        out = self.model(input_ids, attention_mask, position_ids, None, inputs_embeds)
        return _heads.answer(self.qa_outputs(out["last_hidden_state"]), start_positions,
                             end_positions, return_dict)


class RotaryEmbedding(Module):
    def __init__(self, config=None, device=None):
        Module.__init__(self)
        self.__dict__["config"] = config

    def forward(self, x, position_ids):
        cos, sin = rope(position_ids, self.config.head_dim, self.config.rope_theta, x.dtype)
        return cos.squeeze(-3), sin.squeeze(-3)


_HEADS = {
    "Model": DecoderModel, "ForCausalLM": DecoderForCausalLM,
    "ForSequenceClassification": DecoderForSequenceClassification,
    "ForTokenClassification": DecoderForTokenClassification,
    "ForQuestionAnswering": DecoderForQuestionAnswering,
    "PreTrainedModel": DecoderPreTrainedModel,
}
_PARTS = {"DecoderLayer": DecoderLayer, "Attention": Attention, "SdpaAttention": Attention,
          "FlashAttention2": Attention, "MLP": GatedMLP, "RMSNorm": RMSNorm,
          "RotaryEmbedding": RotaryEmbedding}


def find(kind, head):
    from transformers._registry import make
    return make(kind, head)


def heads(kind):
    return _HEADS


def part(kind, name):
    return _PARTS.get(name)
