// Comparisons, logic on truth values, and choices between two tensors.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

template <Comparison kComparison, KnownBinaryOp kFold>
absl::Status Compare(OpContext& ctx) {
  if (FoldBinary(ctx, kFold)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  ctx.SetOp(0, CompareOf(ctx.builder, kComparison, x, y));
  return absl::OkStatus();
}

template <OpKind kKind, KnownBinaryOp kFold>
absl::Status Logic(OpContext& ctx) {
  if (FoldBinary(ctx, kFold)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  ctx.SetOp(0, BinaryOf(ctx.builder, kKind, x, y));
  return absl::OkStatus();
}

absl::Status LogicalNot(OpContext& ctx) {
  const KnownValue* known = ctx.Known(0);
  if (known != nullptr && ctx.SetIfKnown(0, KnownUnary(KnownUnaryOp::kNot, *known))) {
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, ctx.builder.Unary(OpKind::kNot, x));
  return absl::OkStatus();
}

absl::Status ApproximateEqual(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  const Term distance = Abs(Term(ctx.builder, x) - Term(ctx.builder, y));
  ctx.SetOp(0, Compared(Comparison::kLt, distance, ctx.Float("tolerance", 1e-5)).id);
  return absl::OkStatus();
}

bool FoldSelect(OpContext& ctx) {
  const KnownValue* pred = ctx.Known(0);
  const KnownValue* x = ctx.Known(1);
  const KnownValue* y = ctx.Known(2);
  return pred != nullptr && x != nullptr && y != nullptr &&
         ctx.SetIfKnown(0, KnownSelect(*pred, *x, *y));
}

// SelectV2 broadcasts all three.
absl::Status SelectV2(OpContext& ctx) {
  if (FoldSelect(ctx)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  ctx.SetOp(0, SelectOf(ctx.builder, xs[0], xs[1], xs[2]));
  return absl::OkStatus();
}

// The condition of Select may also be a vector over the first dim.
absl::Status Select(OpContext& ctx) {
  if (FoldSelect(ctx)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder;
  const Shape to = b.shape(xs[1]);
  const Shape pred = b.shape(xs[0]);
  if (pred.rank() == 1 && to.rank() > 1) {
    if (pred.dims[0] != to.dims[0]) {
      return InvalidInput("the condition is no vector over the first dim");
    }
    xs[0] = b.Broadcast(xs[0], to.dims, {0});
  }
  ctx.SetOp(0, SelectOf(b, xs[0], xs[1], xs[2]));
  return absl::OkStatus();
}

using C = Comparison;
constexpr OpEntry kComparisonOps[] = {
    {"ApproximateEqual", ApproximateEqual},
    {"Equal", Compare<C::kEq, KnownBinaryOp::kEqual>},
    {"Greater", Compare<C::kGt, KnownBinaryOp::kGreater>},
    {"GreaterEqual", Compare<C::kGe, KnownBinaryOp::kGreaterEqual>},
    {"Less", Compare<C::kLt, KnownBinaryOp::kLess>},
    {"LessEqual", Compare<C::kLe, KnownBinaryOp::kLessEqual>},
    {"LogicalAnd", Logic<OpKind::kAnd, KnownBinaryOp::kAnd>},
    {"LogicalNot", LogicalNot},
    {"LogicalOr", Logic<OpKind::kOr, KnownBinaryOp::kOr>},
    {"NotEqual", Compare<C::kNe, KnownBinaryOp::kNotEqual>},
    {"Select", Select},
    {"SelectV2", SelectV2},
};

}  // namespace

std::span<const OpEntry> ComparisonOps() { return kComparisonOps; }

}  // namespace tilewise::tf
