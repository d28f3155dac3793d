// Updates at indices that are data: scatters into tensors and variables, sums
// by segment.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/gather.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

constexpr ScatterRule kAssign = {.reducer = Reducer::kSum, .assign = true};
constexpr ScatterRule kAdd = {.reducer = Reducer::kSum, .assign = false};
constexpr ScatterRule kMax = {.reducer = Reducer::kMax, .assign = false};
constexpr ScatterRule kMin = {.reducer = Reducer::kMin, .assign = false};
constexpr ScatterRule kTimes = {.reducer = Reducer::kProduct, .assign = false};

// How updates enter: as they are, negated (sub) or as reciprocals (div).
enum class Sense : uint8_t { kPlain, kNegated, kReciprocal };

OpId Entering(GraphBuilder& b, OpId updates, Sense sense) {
  if (sense == Sense::kNegated) return b.Unary(OpKind::kNegate, updates);
  if (sense == Sense::kReciprocal) return (1.0 / Term(b, updates)).id;
  return updates;
}

absl::Status ScatterNdOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId updates, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 2, "shape"));
  if (IsEmpty(dims)) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  const OpId zeros = b.Constant(0, {b.shape(updates).dtype, dims});
  return ctx.Result(ScatterNd(b, zeros, indices, updates, kAdd));
}

// Operands: tensor, indices, updates.
template <const ScatterRule& kRule, Sense kSense = Sense::kPlain>
absl::Status TensorScatter(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  return ctx.Result(ScatterNd(b, xs[0], xs[1], Entering(b, xs[2], kSense), kRule));
}

// The same into a variable; the older ops have its new value as their result.
template <const ScatterRule& kRule, Sense kSense = Sense::kPlain>
absl::Status VariableScatterNd(OpContext& ctx) {
  const OpId x = ctx.ReadVariable(0);
  if (x == kNoOp) return ctx.builder().TakeStatus();
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const OpId updates, Tensor(ctx, 2));
  GraphBuilder& b = ctx.builder();
  const OpId next = ScatterNd(b, x, indices, Entering(b, updates, kSense), kRule);
  ctx.UpdateVariable(0, next);
  return ctx.ForwardFirst();
}

// Rows of a variable. A scalar update is stretched to them.
template <const ScatterRule& kRule, Sense kSense = Sense::kPlain>
absl::Status VariableScatter(OpContext& ctx) {
  const OpId x = ctx.ReadVariable(0);
  if (x == kNoOp) return ctx.builder().TakeStatus();
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(OpId updates, Tensor(ctx, 2));
  GraphBuilder& b = ctx.builder();
  const Shape table = b.shape(x);
  if (table.rank() < 1) return InvalidInput("a scatter into a scalar");
  std::vector<Dim> rows = b.shape(indices).dims;
  rows.insert(rows.end(), table.dims.begin() + 1, table.dims.end());
  updates = Entering(b, b.BroadcastTo(updates, rows), kSense);
  ctx.UpdateVariable(0, ScatterAlong(b, x, indices, updates, 0, kRule));
  return ctx.ForwardFirst();
}

double Neutral(Reducer reducer, DType dtype) {
  const double most =
      IsFloat(dtype) ? std::numeric_limits<float>::max() : std::numeric_limits<int32_t>::max();
  switch (reducer) {
    case Reducer::kMax:
      return -most;
    case Reducer::kMin:
      return most;
    case Reducer::kProduct:
      return 1;
    default:
      return 0;
  }
}

// Data and ids that both have the most rows they can have, which differ: the
// real number is the same, so it is at most the smaller one.
void CutToCommon(GraphBuilder& b, OpId& data, OpId& ids) {
  const Shape x = b.shape(data), places = b.shape(ids);
  if (x.rank() < 1 || places.rank() != 1) return;
  const Dim rows = x.dims[0], count = places.dims[0];
  if (rows == count || rows.per_batch || count.per_batch) return;
  const int64_t common = std::min(rows.factor, count.factor);
  if (rows.factor > common) data = b.SliceDim(data, 0, 0, common);
  if (count.factor > common) ids = b.SliceDim(ids, 0, 0, common);
}

// data [ids.., rest..] joined into [segments, rest..].
OpId Segments(GraphBuilder& b, OpId data, OpId ids, const Dim& segments, Reducer reducer) {
  CutToCommon(b, data, ids);
  const Shape from = b.shape(data);
  const int64_t lead = b.shape(ids).rank();
  Shape table(from.dtype, {segments});
  for (int64_t i = lead; i < from.rank(); ++i) {
    table.dims.push_back(from.dims[i]);
  }
  if (reducer == Reducer::kSum) return b.ScatterAdd(ids, data, table);
  const OpId start = b.Constant(Neutral(reducer, from.dtype), table);
  return ScatterAlong(b, start, ids, data, 0, {.reducer = reducer, .assign = false});
}

template <Reducer kReducer>
absl::Status UnsortedSegment(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId data, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId ids, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto count, KnownSizes(ctx, 2, "num_segments"));
  if (count.size() != 1 || count[0].factor < 1) return absl::OkStatus();
  return ctx.Result(Segments(ctx.builder(), data, ids, count[0], kReducer));
}

// The number of segments is data here: at most one for each row.
template <Reducer kReducer, bool kMean = false>
absl::Status SortedSegment(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId data, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId ids, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  if (b.shape(data).rank() < 1) return InvalidInput("segments of a scalar");
  const Dim rows = b.shape(data).dims[0];
  const Term sum(b, Segments(b, data, ids, rows, kReducer));
  ctx.Note("RD002", "the number of segments is data: taken to be the rows");
  if (!kMean) {
    return ctx.Result(sum.id);
  }
  const Term ones(b, b.Constant(1, b.shape(data)));
  const Term counts(b, Segments(b, ones.id, ids, rows, Reducer::kSum));
  return ctx.Result((sum / Max(counts, 1)).id);
}

// The shape of a dense tensor: operand 1, or what the file records.
absl::StatusOr<std::vector<Dim>> DenseDims(const OpContext& ctx, DType dtype) {
  const auto known = KnownSizes(ctx, 1, "output_shape");
  if (known.ok()) return *known;
  if (const auto recorded = ctx.RecordedShape(0, dtype)) return recorded->dims;
  return known.status();
}

// Indices, shape, values, default value -> a dense tensor.
absl::Status SparseToDense(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId indices, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(OpId values, Tensor(ctx, 2));
  TW_ASSIGN_OR_RETURN(const auto dims, DenseDims(ctx, ctx.builder().shape(values).dtype));
  TW_ASSIGN_OR_RETURN(const OpId rest, Tensor(ctx, 3));
  if (IsEmpty(dims)) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  std::vector<Dim> places = b.shape(indices).dims;
  if (places.size() < 2) {
    places.resize(1, Dim{1, false});
    places.push_back({1, false});
    indices = b.Reshape(indices, places);
  }
  values = b.BroadcastTo(values, {places[0]});
  const OpId start = b.BroadcastTo(rest, dims);
  return ctx.Result(ScatterNd(b, start, indices, values, kAssign));
}

constexpr OpEntry kScatterOps[] = {
    {"ResourceScatterAdd", VariableScatter<kAdd>},
    {"ResourceScatterDiv", VariableScatter<kTimes, Sense::kReciprocal>},
    {"ResourceScatterMax", VariableScatter<kMax>},
    {"ResourceScatterMin", VariableScatter<kMin>},
    {"ResourceScatterMul", VariableScatter<kTimes>},
    {"ResourceScatterNdAdd", VariableScatterNd<kAdd>},
    {"ResourceScatterNdMax", VariableScatterNd<kMax>},
    {"ResourceScatterNdMin", VariableScatterNd<kMin>},
    {"ResourceScatterNdSub", VariableScatterNd<kAdd, Sense::kNegated>},
    {"ResourceScatterNdUpdate", VariableScatterNd<kAssign>},
    {"ResourceScatterSub", VariableScatter<kAdd, Sense::kNegated>},
    {"ResourceScatterUpdate", VariableScatter<kAssign>},
    {"ScatterAdd", VariableScatter<kAdd>},
    {"ScatterDiv", VariableScatter<kTimes, Sense::kReciprocal>},
    {"ScatterMax", VariableScatter<kMax>},
    {"ScatterMin", VariableScatter<kMin>},
    {"ScatterMul", VariableScatter<kTimes>},
    {"ScatterNd", ScatterNdOp},
    {"ScatterNdAdd", VariableScatterNd<kAdd>},
    {"ScatterNdNonAliasingAdd", TensorScatter<kAdd>},
    {"ScatterNdSub", VariableScatterNd<kAdd, Sense::kNegated>},
    {"ScatterNdUpdate", VariableScatterNd<kAssign>},
    {"ScatterSub", VariableScatter<kAdd, Sense::kNegated>},
    {"ScatterUpdate", VariableScatter<kAssign>},
    {"SegmentMax", SortedSegment<Reducer::kMax>},
    {"SegmentMean", SortedSegment<Reducer::kSum, true>},
    {"SegmentMin", SortedSegment<Reducer::kMin>},
    {"SegmentProd", SortedSegment<Reducer::kProduct>},
    {"SegmentSum", SortedSegment<Reducer::kSum>},
    {"SegmentMaxV2", UnsortedSegment<Reducer::kMax>},
    {"SegmentMinV2", UnsortedSegment<Reducer::kMin>},
    {"SegmentProdV2", UnsortedSegment<Reducer::kProduct>},
    {"SegmentSumV2", UnsortedSegment<Reducer::kSum>},
    {"SparseToDense", SparseToDense},
    {"TensorScatterAdd", TensorScatter<kAdd>},
    {"TensorScatterMax", TensorScatter<kMax>},
    {"TensorScatterMin", TensorScatter<kMin>},
    {"TensorScatterSub", TensorScatter<kAdd, Sense::kNegated>},
    {"TensorScatterUpdate", TensorScatter<kAssign>},
    {"UnsortedSegmentMax", UnsortedSegment<Reducer::kMax>},
    {"UnsortedSegmentMin", UnsortedSegment<Reducer::kMin>},
    {"UnsortedSegmentProd", UnsortedSegment<Reducer::kProduct>},
    {"UnsortedSegmentSum", UnsortedSegment<Reducer::kSum>},
};

}  // namespace

std::span<const OpEntry> ScatterOps() { return kScatterOps; }

}  // namespace tilewise::tf
