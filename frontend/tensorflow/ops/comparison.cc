// Comparisons, logic on truth values, and choices between two tensors.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/op_functions.h"

namespace tilewise::tf {
namespace {

absl::Status ApproximateEqual(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  const Term distance = Abs(Term(ctx.builder(), x) - Term(ctx.builder(), y));
  return ctx.Result(Compared(Comparison::kLt, distance, ctx.Float("tolerance", 1e-5)).id);
}

// The condition of Select may also be a vector over the first dim.
absl::Status Select(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  const Shape to = b.shape(xs[1]);
  const Shape pred = b.shape(xs[0]);
  if (pred.rank() == 1 && to.rank() > 1) {
    if (pred.dims[0] != to.dims[0]) {
      return InvalidInput("the condition is no vector over the first dim");
    }
    xs[0] = b.Broadcast(xs[0], to.dims, {0});
  }
  return ctx.Result(SelectOf(b, xs[0], xs[1], xs[2]));
}

using C = Comparison;
constexpr OpEntry kComparisonOps[] = {
    {"ApproximateEqual", ApproximateEqual},
    {"Equal", CompareOp<C::kEq>},
    {"Greater", CompareOp<C::kGt>},
    {"GreaterEqual", CompareOp<C::kGe>},
    {"Less", CompareOp<C::kLt>},
    {"LessEqual", CompareOp<C::kLe>},
    {"LogicalAnd", LogicalOp<OpKind::kAnd>},
    {"LogicalNot", LogicalNot},
    {"LogicalOr", LogicalOp<OpKind::kOr>},
    {"NotEqual", CompareOp<C::kNe>},
    {"Select", Select},
    {"SelectV2", SelectOp},
};

}  // namespace

std::span<const OpEntry> ComparisonOps() { return kComparisonOps; }

}  // namespace tilewise::tf
