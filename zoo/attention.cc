// Attention alone, forward or with the gradients of its operands.

#include <utility>
#include <vector>

#include "graph/gradient.h"
#include "zoo/models.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kAttentionParameters[] = {
    {"batch", "2", "examples"},
    {"seq", "2048", "query positions", {}, 1, 1 << 22},
    {"kv_seq", "0", "key positions; 0: seq", {}, 0, 1 << 22},
    {"heads", "32", "query heads", {}, 1, 1 << 14},
    {"kv_heads", "0", "key and value heads, a divisor of heads; 0: heads", {}, 0, 1 << 14},
    {"head_dim", "128", "features of a head", {}, 1, 1 << 14},
    {"causal", "1", "1: no position sees later ones", kFlagWords},
    {"sliding_window", "0", "keys up to its own that a query sees, with causal=1; 0: all", {}, 0},
    {"bias", "0", "1: [batch, heads, seq, kv_seq] is added to the scores", kFlagWords},
    {"heads_first", "0",
     "1: operands and results are [batch, heads, seq, head_dim], the order of the flash kernel, "
     "instead of [batch, seq, heads, head_dim]",
     kFlagWords},
    {"grad", "0",
     "1: the gradients of queries, keys and values, with what they need of the forward pass",
     kFlagWords},
    AttentionKind("reference"),
    kQueryBlock,
    kKeyBlock,
    kGradQueryBlock,
    kGradKeyBlock,
    kGradSweeps,
    kOperandFloatType,
};

// Adds the gradients of `leaves` for the gradient `dy` of `result`, from the
// last op back to the first.
class Differentiation {
 public:
  Differentiation(GraphBuilder& builder, const std::vector<OpId>& leaves)
      : b_(builder), wanted_(builder.size(), false) {
    gradients_.assign(wanted_.size(), kNoOp);
    for (const OpId leaf : leaves) wanted_[leaf] = true;
    for (OpId id = 0; id < b_.size(); ++id) {
      for (const OpId operand : b_.op(id).operands) {
        const bool on_path = wanted_[operand];
        if (on_path && IsFloat(b_.shape(id).dtype)) wanted_[id] = true;
      }
    }
  }

  void Run(OpId result, OpId dy) {
    gradients_[result] = dy;
    for (OpId id = result; id >= 0 && b_.ok(); --id) {
      if (!wanted_[id] || gradients_[id] == kNoOp) continue;
      if (!b_.op(id).operands.empty()) DifferentiateOp(Op(b_.op(id)));
    }
  }

  OpId of(OpId leaf) const { return gradients_[leaf]; }

 private:
  void DifferentiateOp(const Op& op) {
    const GradientFunction function = FindGradient(op);
    if (function == nullptr) return b_.Fail("found an op without gradient");
    const Gradients parts = function({b_, op, op, gradients_[op.id], wanted_});
    for (size_t i = 0; i < parts.size() && b_.ok(); ++i) {
      const OpId operand = op.operands[i];
      if (parts[i] == kNoOp || !wanted_[operand]) continue;
      OpId& sum = gradients_[operand];
      sum = sum == kNoOp ? parts[i] : b_.Binary(OpKind::kAdd, sum, parts[i]);
    }
  }

  GraphBuilder& b_;
  std::vector<bool> wanted_;     // by id of forward ops
  std::vector<OpId> gradients_;  // the same; kNoOp: none so far
};

absl::StatusOr<Graph> BuildAttention(const ZooSpec& spec) {
  const int64_t batch = spec.Integer("batch");
  const int64_t heads = spec.Integer("heads");
  const int64_t size = spec.Integer("head_dim");
  const int64_t seq = spec.Integer("seq");
  const int64_t kv_seq = spec.IntegerOr("kv_seq", seq);
  const int64_t kv_heads = spec.IntegerOr("kv_heads", heads);
  TW_RETURN_IF_ERROR(CheckDivides("kv_heads", kv_heads, heads));
  Net net(spec);
  net.Layer("attention");
  const bool heads_first = spec.Flag("heads_first");
  const auto operand = [&](const char* name, int64_t length, int64_t count) {
    return heads_first ? net.Operand(name, {batch, count, length, size})
                       : net.Operand(name, {batch, length, count, size});
  };
  const auto swapped = [&](OpId id) {
    return heads_first ? net.builder.Transpose(id, {0, 2, 1, 3}) : id;
  };
  const OpId q = operand("q", seq, heads);
  const OpId k = operand("k", kv_seq, kv_heads);
  const OpId v = operand("v", kv_seq, kv_heads);
  const OpId bias = spec.Flag("bias") ? net.Operand("bias", {batch, heads, seq, kv_seq}) : kNoOp;
  const bool flash = spec.Word("kind") == "flash";
  const OpId y = swapped(
      net.builder.Attention(swapped(q), swapped(k), swapped(v),
                            {.causal = spec.Flag("causal"),
                             .sliding_window = spec.Integer("sliding_window"),
                             .flash = flash,
                             .scale = {},
                             .precision_passes = 1,
                             .blocks = flash ? AttentionBlocks(spec) : std::vector<int64_t>{}},
                            bias));
  if (!spec.Flag("grad")) return net.Finish({y});
  Differentiation differentiation(net.builder, {q, k, v});
  net.builder.SetPhase(Phase::kBackward);
  differentiation.Run(y, operand("dy", seq, heads));
  return net.Finish({differentiation.of(q), differentiation.of(k), differentiation.of(v)});
}

}  // namespace

ZooModel AttentionModel() {
  return {"attention", "attention alone", kAttentionParameters, BuildAttention};
}

}  // namespace tilewise
