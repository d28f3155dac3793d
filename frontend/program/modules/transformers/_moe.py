"""Experts: each token goes through a few of many perceptrons.

The tokens of an example are sorted by their expert and cut into parts of one size, as if the
router spread them evenly: where each goes in the end is known only when the program runs.
"""

import _tilewise
import torch
from torch.nn import Linear, Module, Parameter
from torch.nn import functional as F
from transformers._heads import wrap_take
from transformers._parts import GatedMLP
from transformers.activations import FUNCTIONS


class Experts(Module):
    """The weights of all experts, in two arrays."""

    def __init__(self, n, hidden, width, act):
        Module.__init__(self)
        self.gate_up_proj = Parameter(torch.zeros(n, 2 * width, hidden))
        self.down_proj = Parameter(torch.zeros(n, hidden, width))
        own = self.__dict__
        own["num_experts"], own["act_fn"] = n, FUNCTIONS[act]

    def forward(self, x, chosen, weights):
        b, t, h = x.shape
        k, n = chosen.shape[-1], self.num_experts
        order = chosen.reshape(b, t * k).argsort(-1)
        size = -(-t * k // n)
        rows = F.pad(order, (0, n * size - t * k)) if n * size > t * k else order
        tokens = wrap_take(x, rows.floor_divide(k)).reshape(b, n, size, h)
        gate, up = torch.einsum("bnsh,nwh->bnsw", tokens, self.gate_up_proj).chunk(2, -1)
        y = torch.einsum("bnsw,nhw->bnsh", self.act_fn(gate) * up, self.down_proj)
        y = y.reshape(b, n * size, h)
        back = order.argsort(-1)
        y = wrap_take(y, back).reshape(b, t, k, h)
        return (y * weights.unsqueeze(-1).to(y.dtype)).sum(2)


def _note():
    _tilewise.note("tokens are taken to be spread evenly over the experts")


class SparseMLP(Module):
    """Mixtral, Qwen and OLMo: softmax of the router, the best few experts of all."""

    def __init__(self, config, s, n, width, normed, shared=0):
        Module.__init__(self)
        h = config.hidden_size
        self.gate = Linear(h, n, False)
        self.experts = Experts(n, h, width, s.act)
        own = self.__dict__
        own["top_k"], own["normed"], own["shared"] = config.num_experts_per_tok, normed, shared
        if shared:
            self.shared_expert = GatedMLP(config, s, shared)
            self.shared_expert_gate = Linear(h, 1, False)

    def forward(self, hidden_states):
        _note()
        p = self.gate(hidden_states).float().softmax(-1)
        best = p.topk(self.top_k, -1)
        weights, chosen = best.values, best.indices
        if self.normed:
            weights = weights / weights.sum(-1, keepdim=True)
        y = self.experts(hidden_states, chosen, weights)
        if self.shared:
            shared = self.shared_expert(hidden_states)
            y = y + F.sigmoid(self.shared_expert_gate(hidden_states)) * shared
        return y


class _Gate(Module):
    def __init__(self, n, hidden, corrected):
        Module.__init__(self)
        self.weight = Parameter(torch.zeros(n, hidden))
        self.__dict__["corrected"] = corrected
        if corrected:
            self.register_buffer("e_score_correction_bias", torch.zeros(n))

    def forward(self, x):
        return F.linear(x.float(), self.weight.float())


class DeepseekMLP(Module):
    """Experts of which some see every token; groups of experts are chosen first."""

    def __init__(self, config, s):
        Module.__init__(self)
        c = config
        n, h = c.n_routed_experts, c.hidden_size
        sigmoid = getattr(c, "scoring_func", "softmax") == "sigmoid"
        self.experts = Experts(n, h, c.moe_intermediate_size, s.act)
        self.gate = _Gate(n, h, sigmoid)
        own = self.__dict__
        own["config"], own["sigmoid"] = c, sigmoid
        if c.n_shared_experts:
            self.shared_experts = GatedMLP(c, s, c.moe_intermediate_size * c.n_shared_experts)

    def forward(self, hidden_states):
        _note()
        c = self.config
        p = self.gate(hidden_states)
        p = F.sigmoid(p) if self.sigmoid else p.softmax(-1)
        ranked = p + self.gate.e_score_correction_bias if self.sigmoid else p
        if c.n_group and c.n_group > 1:
            ranked = self._groups(ranked, c)
        chosen = ranked.topk(c.num_experts_per_tok, -1).indices
        weights = p.gather(-1, chosen)
        if c.norm_topk_prob:
            weights = weights / (weights.sum(-1, keepdim=True) + 1e-20)
        weights = weights * c.routed_scaling_factor
        y = self.experts(hidden_states, chosen, weights)
        return y + self.shared_experts(hidden_states) if c.n_shared_experts else y

    def _groups(self, p, c):
        b, t, n = p.shape
        parts = p.reshape(b, t, c.n_group, n // c.n_group)
        score = parts.topk(2, -1).values.sum(-1) if self.sigmoid else parts.amax(-1)
        least = score.topk(c.topk_group, -1).values.narrow(-1, c.topk_group - 1, 1)
        kept = (score >= least).unsqueeze(-1)
        return (parts * kept.to(parts.dtype)).reshape(b, t, n)


def perceptron(config, s, kind, i):
    """The part of layer i that is no attention, where it has experts; else None."""
    c = config
    if kind == "mixtral":
        return SparseMLP(c, s, c.num_local_experts, c.intermediate_size, True)
    if kind == "olmoe":
        return SparseMLP(c, s, c.num_experts, c.intermediate_size, c.norm_topk_prob)
    if kind in ("qwen2_moe", "qwen3_moe"):
        if i in c.mlp_only_layers or c.num_experts == 0 or (i + 1) % c.decoder_sparse_step != 0:
            return None
        shared = c.shared_expert_intermediate_size if kind == "qwen2_moe" else 0
        return SparseMLP(c, s, c.num_experts, c.moe_intermediate_size, c.norm_topk_prob, shared)
    if kind in ("deepseek_v2", "deepseek_v3"):
        if not c.n_routed_experts or i < c.first_k_dense_replace:
            return None
        return DeepseekMLP(c, s)
    return None
