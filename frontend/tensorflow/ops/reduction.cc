// Sums, means, extremes and truth of whole dims.

#include <optional>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/reductions.h"

namespace tilewise::tf {
namespace {

bool KeepsDims(const OpContext& ctx) { return ctx.Bool("keep_dims", ctx.Bool("keepdims", false)); }

template <Reduction kReduction>
absl::Status Reduce(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape from, TensorShapeOf(ctx, 0));
  std::optional<std::vector<int64_t>> dims;
  if (ctx.num_inputs() > 1) {
    TW_ASSIGN_OR_RETURN(dims, KnownList(ctx, 1, "reduction_indices"));
  }
  if (!dims) dims = tf::AllDims(from.rank());
  TW_ASSIGN_OR_RETURN(const auto axes, NormalAxes(*dims, from.rank()));
  TW_ASSIGN_OR_RETURN(const OpId x, AnyTensor(ctx, 0));
  const bool is_sum = kReduction == Reduction::kSum || kReduction == Reduction::kMean ||
                      kReduction == Reduction::kMax || kReduction == Reduction::kMin;
  ctx.Set(
      0, axes.empty() && is_sum ? x : ReduceOf(ctx.builder(), kReduction, x, axes, KeepsDims(ctx)));
  return absl::OkStatus();
}

// Half the sum of squares.
absl::Status L2Loss(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const OpId sum = ReduceOf(b, Reduction::kSumSquare, x, tf::AllDims(b.shape(x).rank()), false);
  return ctx.Result(b.BinaryScalar(OpKind::kMultiply, sum, 0.5));
}

// How often each of `size` values occurs.
absl::Status Bincount(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId values, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t size, KnownSingle(ctx, 1, "size"));
  if (size < 1) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(values, Flattened(b, values));
  const DType type = TypeOr(ctx, "T", DType::kS32);
  const OpId ones = b.Constant(1, {type, b.shape(values).dims});
  return ctx.Result(b.ScatterAdd(values, ones, Shape::Of(type, {size})));
}

constexpr OpEntry kReductionOps[] = {
    {"All", Reduce<Reduction::kAll>},
    {"Any", Reduce<Reduction::kAny>},
    {"Bincount", Bincount},
    {"DenseBincount", Bincount},
    {"EuclideanNorm", Reduce<Reduction::kL2>},
    {"L2Loss", L2Loss},
    {"Max", Reduce<Reduction::kMax>},
    {"Mean", Reduce<Reduction::kMean>},
    {"Min", Reduce<Reduction::kMin>},
    {"Prod", Reduce<Reduction::kProduct>},
    {"Sum", Reduce<Reduction::kSum>},
};

}  // namespace

std::span<const OpEntry> ReductionOps() { return kReductionOps; }

}  // namespace tilewise::tf
