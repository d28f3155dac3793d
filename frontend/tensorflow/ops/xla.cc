// XLA's own ops inside of TensorFlow graphs.

#include <optional>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/xla_numbers.h"

namespace tilewise::tf {
namespace {

absl::Status XlaDot(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const DimensionNumbers numbers, NumbersOf(ctx));
  GraphBuilder& b = ctx.builder();
  DotAttrs attrs{{numbers[dot::kLhsBatch], numbers[dot::kRhsBatch], numbers[dot::kLhsContract],
                  numbers[dot::kRhsContract]}};
  const DType type = TypeOr(ctx, "preferred_element_type", b.shape(x).dtype);
  attrs.wide = BitWidth(type) > BitWidth(b.shape(x).dtype);
  return ctx.Result(b.Convert(b.DotAs(x, y, attrs), type));
}

absl::Status XlaDynamicSlice(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId starts, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto sizes, KnownSizes(ctx, 2, "size_indices"));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (sizes.size() != from.dims.size()) {
    return InvalidInput("the slice has not one size for each dim");
  }
  std::vector<OpId> places;
  std::vector<int64_t> dims, parts;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == from.dims[i]) continue;
    const auto dim = static_cast<int64_t>(i);
    places.push_back(b.Reshape(b.SliceDim(starts, 0, dim, dim + 1), {}));
    dims.push_back(dim);
    parts.push_back(sizes[i].factor);
  }
  return ctx.Result(dims.empty() ? x : b.DynamicSlice(x, places, dims, parts));
}

absl::Status XlaDynamicUpdateSlice(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  const Shape whole = b.shape(xs[0]), part = b.shape(xs[1]);
  if (whole.rank() != part.rank()) {
    return InvalidInput("the update has another rank");
  }
  std::vector<OpId> places;
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < whole.rank(); ++i) {
    if (whole.dims[i] == part.dims[i]) continue;
    places.push_back(b.Reshape(b.SliceDim(xs[2], 0, i, i + 1), {}));
    dims.push_back(i);
  }
  return ctx.Result(dims.empty() ? xs[1] : b.DynamicUpdateSlice(xs[0], xs[1], places, dims));
}

absl::Status XlaPad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto low, KnownList(ctx, 2, "padding_low"));
  TW_ASSIGN_OR_RETURN(const auto high, KnownList(ctx, 3, "padding_high"));
  TW_ASSIGN_OR_RETURN(const auto interior, KnownList(ctx, 4, "padding_interior"));
  return ctx.Result(ctx.builder().Pad(x, ctx.KnownNumber(1).value_or(0), low, high, interior));
}

absl::Status XlaSort(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, ctx.num_inputs()));
  GraphBuilder& b = ctx.builder();
  for (size_t i = 0; i < xs.size(); ++i) {
    const auto result = static_cast<int64_t>(i);
    ctx.Set(result, b.Sort(xs, b.shape(xs[0]).rank() - 1, false, result));
  }
  return absl::OkStatus();
}

// The operands are the inputs, then the dim.
absl::Status XlaVariadicSort(OpContext& ctx) {
  const int64_t n = ctx.num_inputs() - 1;
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, n));
  TW_ASSIGN_OR_RETURN(int64_t dim, KnownSingle(ctx, n, "dimension"));
  if (xs.empty()) return InvalidInput("found nothing to sort");
  TW_ASSIGN_OR_RETURN(dim, NormalAxis(dim, ctx.builder().shape(xs[0]).rank()));
  for (int64_t i = 0; i < n; ++i) {
    ctx.Set(i, ctx.builder().Sort(xs, dim, false, i));
  }
  return absl::OkStatus();
}

absl::Status XlaReduce(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto dims,
                      NormalAxes(ctx.Ints("dimensions_to_reduce"), ctx.builder().shape(x).rank()));
  return ctx.Result(dims.empty() ? x : ctx.builder().Reduce(ReducerOf(ctx), x, dims));
}

// Algorithm, state, shape -> state, bits.
absl::Status XlaRngBitGenerator(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 2, "shape"));
  if (IsEmpty(dims)) return absl::OkStatus();
  ctx.Forward(0, 1);
  ctx.Set(1, ctx.builder().Rng(OpKind::kRngBits, {TypeOr(ctx, "dtype", DType::kU64), dims}));
  return absl::OkStatus();
}

absl::Status XlaGather(OpContext& ctx) {
  namespace field = gather;
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto sizes, KnownList(ctx, 2, "slice_sizes"));
  TW_ASSIGN_OR_RETURN(const DimensionNumbers n, NumbersOf(ctx));
  GatherDims dims;
  dims.offset_dims = n[field::kOffset];
  dims.collapsed_dims = n[field::kCollapsed];
  dims.start_dims = n[field::kStart];
  dims.operand_batch = n[field::kOperandBatch];
  dims.indices_batch = n[field::kIndicesBatch];
  dims.slice_sizes = sizes;
  dims.index_dim = Single(n, field::kIndexDim);
  return ctx.Result(ctx.builder().GatherSlices(x, indices, dims));
}

absl::Status XlaScatter(OpContext& ctx) {
  namespace field = gather;
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  TW_ASSIGN_OR_RETURN(const DimensionNumbers n, NumbersOf(ctx));
  GatherDims dims;
  dims.offset_dims = n[field::kOffset];
  dims.collapsed_dims = n[field::kCollapsed];
  dims.start_dims = n[field::kStart];
  dims.operand_batch = n[field::kOperandBatch];
  dims.indices_batch = n[field::kIndicesBatch];
  dims.index_dim = Single(n, field::kIndexDim);
  const Reducer reducer = ReducerOf(ctx);
  ctx.Set(0, ctx.builder().ScatterSlices(xs[0], xs[1], xs[2], dims, reducer,
                                         reducer == Reducer::kOther));
  return absl::OkStatus();
}

// Two operands in shapes that broadcast already, mostly.
absl::Status XlaBroadcastHelper(OpContext& ctx) {
  ctx.Forward(0, 0);
  ctx.Forward(1, 1);
  return absl::OkStatus();
}

absl::Status Barrier(OpContext& ctx) {
  for (int64_t i = 0; i < ctx.num_inputs(); ++i) {
    TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, i));
    ctx.Set(i, ctx.builder().Barrier(x, {}));
  }
  return absl::OkStatus();
}

// Cuts the part of one core out of the whole, or goes back: its shape is the
// node's.
absl::Status ShardShape(OpContext& ctx) {
  const auto full = ctx.ShapeAttr("full_shape");
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  std::optional<Shape> to = ctx.RecordedShape(0, from.dtype);
  if (full) {
    if (const auto dims = OpContext::ToDims(*full)) to = Shape(from.dtype, *dims);
  }
  if (!to || to->dims == from.dims) {
    return ctx.Result(x);
  }
  return OpaqueResult(ctx, 0, *to);
}

constexpr OpEntry kXlaOps[] = {
    {"XlaBroadcastHelper", XlaBroadcastHelper},
    {"XlaClusterOutput", SameAsOperand},
    {"XlaDot", XlaDot},
    {"XlaDotV2", XlaDot},
    {"XlaDynamicSlice", XlaDynamicSlice},
    {"XlaDynamicUpdateSlice", XlaDynamicUpdateSlice},
    {"XlaGather", XlaGather},
    {"XlaKeyValueSort", XlaSort},
    {"XlaOptimizationBarrier", Barrier},
    {"XlaPad", XlaPad},
    {"XlaReduce", XlaReduce},
    {"XlaReducePrecision", SameAsOperand},
    {"XlaRemoveDynamicDimensionSize", SameAsOperand},
    {"XlaRngBitGenerator", XlaRngBitGenerator},
    {"XlaScatter", XlaScatter},
    {"XlaSetBound", SameAsOperand},
    {"XlaSetDynamicDimensionSize", SameAsOperand},
    {"XlaSharding", SameAsOperand},
    {"XlaSort", XlaSort},
    {"XlaSpmdFullToShardShape", ShardShape},
    {"XlaSpmdShardToFullShape", ShardShape},
    {"XlaVariadicSort", XlaVariadicSort},
};

}  // namespace

std::span<const OpEntry> XlaOps() { return kXlaOps; }

}  // namespace tilewise::tf
