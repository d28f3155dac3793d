// fused_ops as the ops they stand for.

#include "frontend/tensorflow/ops/fused_epilogue.h"

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/activations.h"
#include "library/broadcast.h"
#include "library/matmul.h"
#include "library/normalizations.h"
#include "library/windows.h"

namespace tilewise::tf {
namespace {

// The activation called `name`; kNoOp: there is none.
OpId Activated(OpContext& ctx, std::string_view name, OpId y) {
  GraphBuilder& b = ctx.builder();
  if (name == "Relu") return Relu(b, y);
  if (name == "Relu6") return Clamp(b, y, 0, 6);
  if (name == "Elu") return Elu(b, y, 1);
  if (name == "LeakyRelu") {
    return LeakyRelu(b, y, ctx.Float("leakyrelu_alpha", 0.2));
  }
  if (name == "Sigmoid") return b.Unary(OpKind::kLogistic, y);
  if (name == "Tanh") return b.Unary(OpKind::kTanh, y);
  if (name == "GeluApproximate") return b.Gelu(y, true);
  if (name == "GeluExact") return b.Gelu(y, false);
  if (name == "_MklSwish" || name == "Swish") return Swish(b, y);
  if (name == "Identity" || name == "linear") return y;
  return kNoOp;
}

// Applies one fused op; `next` is the index of its operands.
absl::StatusOr<OpId> Apply(OpContext& ctx, std::string_view name, OpId y, int64_t& next,
                           int64_t feature) {
  GraphBuilder& b = ctx.builder();
  if (name == "BiasAdd") {
    TW_ASSIGN_OR_RETURN(const OpId bias, Tensor(ctx, next++));
    return b.Binary(OpKind::kAdd, y, AlongDim(b, bias, y, feature));
  }
  if (name == "FusedBatchNorm") {
    TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, next, next + 4));
    next += 4;
    return BatchNormOf(b, y, {xs[0], xs[1], xs[2], xs[3]}, feature, ctx.Float("epsilon", 1e-4),
                       false);
  }
  if (name == "Add") {
    TW_ASSIGN_OR_RETURN(const OpId other, Tensor(ctx, next++));
    return BinaryOf(b, OpKind::kAdd, y, other);
  }
  if (name == "Prelu") {
    TW_ASSIGN_OR_RETURN(const OpId alpha, Tensor(ctx, next++));
    return Prelu(b, y, alpha);
  }
  const OpId activated = Activated(ctx, name, y);
  if (activated != kNoOp || !b.ok()) return activated;
  return InvalidInput(fmt::format("found {} fused into {}", name, ctx.op()));
}

absl::Status FusedMatMul(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  const OpId product = NumpyMatMul(ctx.builder(), x, y,
                                   {.transpose_x = ctx.Bool("transpose_a", false),
                                    .transpose_y = ctx.Bool("transpose_b", false)});
  return SetWithEpilogue(ctx, product, 2, false);
}

constexpr OpEntry kFusedOps[] = {
    {"_FusedMatMul", FusedMatMul},
};

}  // namespace

absl::Status SetWithEpilogue(OpContext& ctx, OpId y, int64_t first, bool channels_first) {
  const int64_t feature = FeatureDimOf(channels_first, ctx.builder().shape(y).rank());
  int64_t next = first;
  const auto names = AttrStrings(ctx.attrs(), "fused_ops");
  if (names) {
    for (const std::string_view name : *names) {
      TW_ASSIGN_OR_RETURN(y, Apply(ctx, name, y, next, feature));
    }
  }
  return ctx.Result(y);
}

std::span<const OpEntry> FusedOps() { return kFusedOps; }

}  // namespace tilewise::tf
