"""Parts of decoders: normalisation, rotary positions, attention, perceptrons."""

import torch
from torch import _tensor as _t
from torch.nn import Embedding, LayerNorm, Linear, Module, Parameter
from torch.nn import functional as F
from transformers.activations import FUNCTIONS


class RMSNorm(Module):
    def __init__(self, hidden_size, eps=1e-6):
        Module.__init__(self)
        self.weight = Parameter(torch.ones(hidden_size))
        self.__dict__["variance_epsilon"] = eps

    def forward(self, hidden_states):
        w = self.weight
        return F.rms_norm(hidden_states, w.shape, w, self.variance_epsilon)


class ShiftedRMSNorm(RMSNorm):
    """Gemma's: the weight is the difference to one."""

    def forward(self, hidden_states):
        w = self.weight
        return F.rms_norm(hidden_states, w.shape, w.float() + 1.0, self.variance_epsilon)


class PlainNorm(Module):
    """OLMo's: without weights."""

    def __init__(self, hidden_size, eps=1e-5):
        Module.__init__(self)
        self.__dict__["normalized_shape"] = (hidden_size,)

    def forward(self, hidden_states):
        return F.layer_norm(hidden_states, self.normalized_shape, None, None, 1e-5)


def _scaled_norm(n, eps):
    return LayerNorm(n, eps, bias=False)


class HeadNorm(Module):
    """A scale for each head: [heads, depth]."""

    def __init__(self, heads, depth, eps):
        Module.__init__(self)
        self.weight = Parameter(torch.ones(heads, depth))
        self.__dict__["eps"] = eps

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], None, None, self.eps) * self.weight.unsqueeze(1)


NORMS = {"rms": RMSNorm, "shifted": ShiftedRMSNorm, "plain": PlainNorm, "layer": LayerNorm,
         "scaled": _scaled_norm}


# ---- rotary positions


def rope(position_ids, dims, theta, dtype):
    """Cosines and sines for [.., tokens] positions: [.., 1, tokens, dims]."""
    inverse = torch.tensor([theta ** (-2.0 * i / dims) for i in range(dims // 2)])
    angles = position_ids.float().unsqueeze(-1) * inverse
    angles = torch.cat([angles, angles], -1).unsqueeze(-3)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate_half(x):
    n = x.shape[-1] // 2
    return torch.cat([-x.narrow(-1, n, n), x.narrow(-1, 0, n)], -1)


def apply_rope(q, k, cos, sin):
    n = cos.shape[-1]
    d = q.shape[-1]
    if n < d:
        q, k, rest_q, rest_k = (q.narrow(-1, 0, n), k.narrow(-1, 0, n),
                                q.narrow(-1, n, d - n), k.narrow(-1, n, d - n))
    q = q * cos + rotate_half(q) * sin
    k = k * cos + rotate_half(k) * sin
    if n < d:
        q, k = torch.cat([q, rest_q], -1), torch.cat([k, rest_k], -1)
    return q, k


def apply_rope_pairs(q, k, cos, sin):
    """As in GPT-J: even and odd features are turned together."""
    def turn(x):
        n = cos.shape[-1]
        part = x.narrow(-1, 0, n)
        pairs = part.reshape(*part.shape[:-1], n // 2, 2)
        turned = torch.cat([-pairs.narrow(-1, 1, 1), pairs.narrow(-1, 0, 1)], -1)
        y = part * cos + turned.reshape(*part.shape) * sin
        d = x.shape[-1]
        return torch.cat([y, x.narrow(-1, n, d - n)], -1) if n < d else y
    return turn(q), turn(k)


def attend(q, k, v, mask, causal, scale=None, cap=None, dropout=0.0):
    """[batch, heads, tokens, depth] to [batch, tokens, heads * depth]."""
    if cap is None:
        groups = q.shape[1] // k.shape[1]
        if groups > 1 and dropout > 0:
            k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
        y = F.scaled_dot_product_attention(q, k, v, mask, dropout, causal, scale, True)
    else:
        y = _capped(q, k, v, mask, causal, scale, cap)
    b, h, t, d = y.shape
    return y.transpose(1, 2).reshape(b, t, h * d)


def _capped(q, k, v, mask, causal, scale, cap):
    """Scores that a tanh keeps small, as in Gemma 2."""
    groups = q.shape[1] // k.shape[1]
    if groups > 1:
        k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    scores = q.matmul(k.transpose(2, 3)) * (q.shape[-1] ** -0.5 if scale is None else scale)
    scores = (scores / cap).tanh() * cap
    if causal:
        n = q.shape[2]
        i = torch.arange(n)
        mask = i.reshape(1, n) <= i.reshape(n, 1)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e30) if mask.dtype is _t.boolean \
            else scores + mask
    return scores.float().softmax(-1).to(q.dtype).matmul(v)


class Attention(Module):
    """Attention of decoders; `s` says how this kind of model differs."""

    def __init__(self, config, layer_idx=0, s=None):
        Module.__init__(self)
        s = s or config_switches(config)
        h, a, d = config.hidden_size, config.num_attention_heads, config.head_dim
        kv = config.num_key_value_heads
        own = self.__dict__
        own["config"], own["layer_idx"], own["head_dim"] = config, layer_idx, d
        own["num_heads"], own["num_key_value_heads"] = a, kv
        own["scaling"], own["cap"] = s.scale, s.cap
        own["rotary"] = s.rotary(layer_idx)
        own["attention_dropout"] = config.attention_dropout
        own["fused"], own["out"], own["norm"] = s.fused_qkv, s.out_name, s.qk_norm
        if s.fused_qkv:
            self.qkv_proj = Linear(h, (a + 2 * kv) * d, s.qkv_bias)
        else:
            self.q_proj = Linear(h, a * d, s.qkv_bias)
            self.k_proj = Linear(h, kv * d, s.qkv_bias)
            self.v_proj = Linear(h, kv * d, s.qkv_bias)
        setattr(self, s.out_name, Linear(a * d, h, s.o_bias))
        if s.qk_norm == "head":
            self.q_norm, self.k_norm = NORMS[s.norm](d, s.eps), NORMS[s.norm](d, s.eps)
        elif s.qk_norm == "full":
            self.q_norm, self.k_norm = RMSNorm(a * d, s.eps), RMSNorm(kv * d, s.eps)
        elif s.qk_norm == "each":
            self.q_norm, self.k_norm = HeadNorm(a, d, s.eps), HeadNorm(kv, d, s.eps)
        elif s.qk_norm == "phi":
            self.q_layernorm, self.k_layernorm = LayerNorm(d, s.eps), LayerNorm(d, s.eps)
        elif s.qk_norm == "stable":
            self.q_layernorm, self.k_layernorm = _Norms(a, d, s.eps), _Norms(kv, d, s.eps)

    def forward(self, hidden_states, position_embeddings=None, attention_mask=None, causal=True,
                **kwargs):
        b, t, _ = hidden_states.shape
        a, kv, d = self.num_heads, self.num_key_value_heads, self.head_dim
        if self.fused:
            q, k, v = self.qkv_proj(hidden_states).split((a * d, kv * d, kv * d), -1)
        else:
            q, k, v = (self.q_proj(hidden_states), self.k_proj(hidden_states),
                       self.v_proj(hidden_states))
        if self.norm == "full":
            q, k = self.q_norm(q), self.k_norm(k)
        q = q.reshape(b, t, a, d).transpose(1, 2)
        k = k.reshape(b, t, kv, d).transpose(1, 2)
        v = v.reshape(b, t, kv, d).transpose(1, 2)
        if self.norm in ("head", "each"):
            q, k = self.q_norm(q), self.k_norm(k)
        elif self.norm in ("phi", "stable"):
            q, k = self.q_layernorm(q), self.k_layernorm(k)
        if self.rotary is not None and position_embeddings is not None:
            q, k = self.rotary(q, k, *position_embeddings)
        y = attend(q, k, v, attention_mask, causal, self.scaling, self.cap,
                   self.attention_dropout if self.training else 0.0)
        return getattr(self, self.out)(y), None


class _Norms(Module):
    """A normalisation with a scale for each head."""

    def __init__(self, heads, depth, eps):
        Module.__init__(self)
        self.norms = torch.nn.ModuleList([LayerNorm(depth, eps, bias=False)
                                          for _ in range(heads)])

    def forward(self, x):
        parts = x.split(1, 1)
        return torch.cat([n(p) for n, p in zip(self.norms, parts)], 1)


# ---- perceptrons


class GatedMLP(Module):
    def __init__(self, config, s=None, width=None):
        Module.__init__(self)
        bias = s.mlp_bias if s is not None else getattr(config, "mlp_bias", False)
        h, i = config.hidden_size, width or config.intermediate_size
        self.gate_proj, self.up_proj = Linear(h, i, bias), Linear(h, i, bias)
        self.down_proj = Linear(i, h, bias)
        self.__dict__["act_fn"] = FUNCTIONS[s.act if s is not None else config.hidden_act]

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


class FusedMLP(Module):
    """The gate and what it opens are one product."""

    def __init__(self, config, s=None, width=None):
        Module.__init__(self)
        h, i = config.hidden_size, width or config.intermediate_size
        self.gate_up_proj, self.down_proj = Linear(h, 2 * i, False), Linear(i, h, False)
        self.__dict__["act_fn"] = FUNCTIONS[s.act]

    def forward(self, hidden_states):
        gate, up = self.gate_up_proj(hidden_states).chunk(2, -1)
        return self.down_proj(up * self.act_fn(gate))


def _plain(first, second):
    class PlainMLP(Module):
        def __init__(self, config, s=None, width=None):
            Module.__init__(self)
            h, i = config.hidden_size, config.intermediate_size
            bias = True if s is None else s.mlp_bias
            setattr(self, first, Linear(h, i, bias))
            setattr(self, second, Linear(i, h, bias))
            self.__dict__["act"] = FUNCTIONS[s.act if s is not None else config.hidden_act]

        def forward(self, hidden_states):
            x = self.act(getattr(self, first)(hidden_states))
            return getattr(self, second)(x)
    return PlainMLP


MLPS = {"gated": GatedMLP, "fused": FusedMLP, "fc": _plain("fc1", "fc2"),
        "c": _plain("c_fc", "c_proj")}


def config_switches(config):
    from transformers._decoder import Switches
    return Switches(config, config.model_type)
