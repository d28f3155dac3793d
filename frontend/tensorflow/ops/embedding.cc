// Ops whose results are as long as the data says: where, unique, sparse
// tensors. As in XLA they get the length that they have at most, which a note
// says.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

void NoteLength(OpContext& ctx) {
  ctx.Note("RD002", fmt::format("how many results {} has is data: the most "
                                "possible is taken",
                                ctx.op()));
}

// Coordinates of the flat indices in a tensor of `dims`: [indices, rank].
OpId Coordinates(GraphBuilder& b, OpId places, const std::vector<Dim>& dims) {
  std::vector<OpId> columns(dims.size(), kNoOp);
  Term rest(b, places);
  for (size_t i = dims.size(); i-- > 0;) {
    Term column = rest;
    // The first dim, which may be the batch, is what is left of the others.
    if (i > 0 && !dims[i].per_batch) {
      const auto size = static_cast<double>(dims[i].factor);
      column = Binary(OpKind::kRemainder, rest, rest.Like(size));
      rest = rest / size;
    }
    columns[i] = Unsqueezed(b, column.id, {1});
  }
  return columns.size() == 1 ? columns[0] : b.Concatenate(columns, 1);
}

// Indices that are true, in order: the indices sorted by whether they are
// false.
absl::Status WhereOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (from.rank() < 1) return InvalidInput("the places of a scalar");
  TW_ASSIGN_OR_RETURN(const OpId flat, Flattened(b, AsPred(b, x)));
  const OpId is_false = b.Convert(b.Unary(OpKind::kNot, flat), DType::kS32);
  const OpId iota = b.Iota(b.shape(is_false), 0);
  const OpId places = b.Sort({is_false, iota}, 0, false, 1);
  ctx.Set(0, b.Convert(Coordinates(b, places, from.dims), DType::kS64));
  NoteLength(ctx);
  return absl::OkStatus();
}

// Results: the values, the index of each element among them, how often each
// occurs. The values are in their own order here, not in that of the first
// occurrence. Equal elements lie together when sorted; a running count of the
// first ones numbers them.
absl::Status UniqueOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (from.rank() != 1) return InvalidInput("distinct slices of rank 2");
  const Shape places = from.WithType(DType::kS32);
  const OpId iota = b.Iota(places, 0);
  const OpId sorted = b.Sort({x, iota}, 0, false, 0);
  const OpId order = b.Sort({x, iota}, 0, false, 1);
  const Term first(b, b.Cumulative(Reducer::kMax, iota, 0));
  const OpId before = TakeAlong(b, sorted, Max(first - 1, 0).id, 0);
  const Term differs = Compared(Comparison::kNe, Term(b, sorted), Term(b, before));
  const OpId number = b.Cumulative(Reducer::kSum, b.Convert(differs.id, DType::kS32), 0);
  constexpr ScatterRule kAssign = {.reducer = Reducer::kSum, .assign = true};
  const OpId zeros = b.Constant(0, from);
  ctx.Set(0, ScatterAlong(b, zeros, number, sorted, 0, kAssign));
  const OpId ids = ScatterAlong(b, b.Constant(0, places), order, number, 0, kAssign);
  const DType type = TypeOr(ctx, "out_idx", DType::kS32);
  ctx.Set(1, b.Convert(ids, type));
  if (ctx.op().find("Counts") != std::string_view::npos) {
    const OpId ones = b.Constant(1, places);
    ctx.Set(2, b.Convert(b.ScatterAdd(number, ones, places), type));
  }
  NoteLength(ctx);
  return absl::OkStatus();
}

enum class Weight : uint8_t { kSum, kMean, kRoot };

// Rows of data at `indices`, summed by segment; the number of segments is an
// operand, or at most that of the indices.
template <Weight kWeight>
absl::Status SparseSegment(OpContext& ctx) {
  const OpId data = ctx.Input(0), indices = ctx.Input(1), ids = ctx.Input(2);
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  GraphBuilder& b = ctx.builder();
  if (b.shape(ids).rank() != 1 || b.shape(data).rank() < 1) {
    return InvalidInput("the segments are no vector");
  }
  Shape table = b.shape(data);
  table.dims[0] = b.shape(ids).dims[0];
  if (ctx.num_inputs() > 3) {
    TW_ASSIGN_OR_RETURN(const auto count, KnownSizes(ctx, 3, "num_segments"));
    if (count.size() == 1 && count[0].factor > 0) table.dims[0] = count[0];
  } else {
    NoteLength(ctx);
  }
  const OpId rows = b.Gather(data, indices);
  const Term sum(b, b.ScatterAdd(ids, rows, table));
  if (kWeight == Weight::kSum) {
    return ctx.Result(sum.id);
  }
  const Shape count_shape(table.dtype, {table.dims[0]});
  const OpId ones = b.Constant(1, {table.dtype, b.shape(ids).dims});
  Term counts = Max(Term(b, b.ScatterAdd(ids, ones, count_shape)), 1);
  if (kWeight == Weight::kRoot) counts = Sqrt(counts);
  const OpId wide = b.Broadcast(counts.id, table.dims, {0});
  return ctx.Result((sum / Term(b, wide)).id);
}

// Operands: the gradient of the segments, indices, segments, rows of the data.
template <Weight kWeight>
absl::Status SparseSegmentGrad(OpContext& ctx) {
  const OpId dy = ctx.Input(0), indices = ctx.Input(1), ids = ctx.Input(2);
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  TW_ASSIGN_OR_RETURN(const auto rows, KnownSizes(ctx, 3, "output_dim0"));
  GraphBuilder& b = ctx.builder();
  if (rows.size() != 1 || rows[0].factor < 1 || b.shape(dy).rank() < 1) {
    return InvalidInput("the number of rows is no size");
  }
  Term spread(b, b.Gather(dy, ids));
  if (kWeight != Weight::kSum) {
    const Shape segments(spread.shape().dtype, {b.shape(dy).dims[0]});
    const OpId ones = b.Constant(1, {segments.dtype, b.shape(ids).dims});
    Term counts = Max(Term(b, b.ScatterAdd(ids, ones, segments)), 1);
    if (kWeight == Weight::kRoot) counts = Sqrt(counts);
    const OpId each = b.Gather(counts.id, ids);
    spread = spread / Term(b, b.Broadcast(each, spread.shape().dims, {0}));
  }
  Shape table = b.shape(dy);
  table.dims[0] = rows[0];
  return ctx.Result(b.ScatterAdd(indices, spread.id, table));
}

// Indices, values, dense shape, default value. Rows are taken to have values:
// those that have none would add some.
absl::Status SparseFillEmptyRows(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape indices, TensorShapeOf(ctx, 0));
  if (indices.rank() != 2) return InvalidInput("the indices are no matrix");
  ctx.Forward(0, 0);
  ctx.Forward(1, 1);
  const Shape places(DType::kS64, {indices.dims[0]});
  Dim rows = indices.dims[0];
  if (const KnownValue* shape = ctx.Folded(2); shape != nullptr) {
    const auto sizes = KnownAsDims(*shape);
    if (sizes && !sizes->empty() && (*sizes)[0].factor > 0) rows = (*sizes)[0];
  }
  ctx.Set(2, ctx.builder().Constant(0, {DType::kPred, {rows}}));
  ctx.Set(3, ctx.builder().Iota(places, 0));
  ctx.Note("RD002",
           "which rows of a sparse tensor are empty is data: none is "
           "taken to be");
  return absl::OkStatus();
}

// Operands: the reverse map and the gradient of the values.
absl::Status SparseFillEmptyRowsGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId map, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 1));
  ctx.Set(0, ctx.builder().Gather(dy, map));
  ctx.Set(1, ctx.builder().Reduce(Reducer::kSum, dy, {0}));
  return absl::OkStatus();
}

// Size i of the shape at an operand, `vector` as an op, as a scalar.
Term SizeAt(OpContext& ctx, int64_t operand, OpId vector, int64_t i) {
  GraphBuilder& b = ctx.builder();
  if (const auto known = ctx.KnownInts(operand)) {
    const auto size = static_cast<double>((*known)[i]);
    return {b, b.Scalar(size, DType::kS64)};
  }
  const OpId element = b.Reshape(b.SliceDim(vector, 0, i, i + 1), {});
  return {b, b.Convert(element, DType::kS64)};
}

// Indices of another shape: flat indices by the old sizes, taken apart by the
// new ones. Sizes may be data; one of the new ones may be -1.
absl::Status SparseReshape(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  const Shape indices = b.shape(xs[0]);
  if (indices.rank() != 2 || !b.shape(xs[1]).is_static() || !b.shape(xs[2]).is_static() ||
      b.shape(xs[1]).rank() != 1 || b.shape(xs[2]).rank() != 1 ||
      Dim{b.shape(xs[1]).size(0), false} != indices.dims[1] || b.shape(xs[2]).size(0) > 16 ||
      b.shape(xs[1]).size(0) > 16) {
    return InvalidInput("the indices have not one column for each dim");
  }
  const int64_t from = b.shape(xs[1]).size(0), to = b.shape(xs[2]).size(0);
  Term flat(b, b.Reshape(b.SliceDim(xs[0], 1, 0, 1), {indices.dims[0]}));
  Term all = SizeAt(ctx, 1, xs[1], 0);
  for (int64_t i = 1; i < from; ++i) {
    const Term size = SizeAt(ctx, 1, xs[1], i);
    const Term column(b, b.Reshape(b.SliceDim(xs[0], 1, i, i + 1), {indices.dims[0]}));
    flat = flat * size + column;
    all = all * size;
  }
  const auto wanted = ctx.KnownInts(2);
  std::vector<Term> sizes;
  Term others = all.Like(1);
  for (int64_t i = 0; i < to; ++i) {
    sizes.push_back(SizeAt(ctx, 2, xs[2], i));
    if (!wanted || (*wanted)[i] != -1) {
      others = others * sizes.back();
    }
  }
  std::vector<OpId> columns(sizes.size()), shape(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    const bool open = wanted ? (*wanted)[i] == -1 : i == 0;
    if (open) sizes[i] = all / others;
    const Term column = i == 0 ? flat : Binary(OpKind::kRemainder, flat, sizes[i]);
    if (i > 0) flat = flat / sizes[i];
    columns[i] = Unsqueezed(b, column.id, {1});
    shape[i] = b.Reshape(sizes[i].id, {{1, false}});
  }
  ctx.Set(0, to == 1 ? columns[0] : b.Concatenate(columns, 1));
  ctx.Set(1, to == 1 ? shape[0] : b.Concatenate(shape, 0));
  return absl::OkStatus();
}

// Rows in the order of their indices: here they are taken to be in order.
absl::Status SparseReorder(OpContext& ctx) {
  ctx.Forward(0, 0);
  ctx.Forward(1, 1);
  return absl::OkStatus();
}

// Indices, values, shape of a matrix, times a dense one: rows gathered, scaled
// and added up.
absl::Status SparseDenseMatMul(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 4));
  TW_ASSIGN_OR_RETURN(const auto sizes, KnownSizes(ctx, 2, "a_shape"));
  GraphBuilder& b = ctx.builder();
  if (sizes.size() != 2 || ctx.Bool("adjoint_b", false) || b.shape(xs[0]).rank() != 2 ||
      b.shape(xs[3]).rank() != 2) {
    return InvalidInput("the product of a sparse matrix of another form");
  }
  const bool turned = ctx.Bool("adjoint_a", false);
  const std::vector<Dim> places = {b.shape(xs[0]).dims[0]};
  const auto column = [&](int64_t i) { return b.Reshape(b.SliceDim(xs[0], 1, i, i + 1), places); };
  const OpId rows = b.Gather(xs[3], column(turned ? 0 : 1));
  const OpId scale = b.Broadcast(xs[1], b.shape(rows).dims, {0});
  Shape result = b.shape(xs[3]);
  result.dims[0] = sizes[turned ? 1 : 0];
  ctx.Set(0,
          b.ScatterAdd(column(turned ? 1 : 0), b.Binary(OpKind::kMultiply, rows, scale), result));
  return absl::OkStatus();
}

// How many boundaries are not larger than each of x.
OpId Bucketed(GraphBuilder& b, OpId x, OpId boundaries) {
  const Dim count = b.shape(boundaries).dims[0];
  std::vector<Dim> dims = b.shape(x).dims;
  const std::vector<int64_t> own = AllDims(b.shape(x).rank());
  dims.push_back(count);
  const auto last = static_cast<int64_t>(dims.size()) - 1;
  const OpId wide = b.Broadcast(x, dims, own);
  const OpId bounds = b.Broadcast(b.Convert(boundaries, b.shape(x).dtype), dims, {last});
  const OpId above = b.Compare(Comparison::kGe, wide, bounds);
  return b.Reduce(Reducer::kSum, b.Convert(above, DType::kS32), {last});
}

// The boundaries are an attribute.
absl::Status Bucketize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const auto floats = AttrFloats(ctx.attrs(), "boundaries");
  if (!floats || floats->empty()) return InvalidInput("found no boundaries");
  GraphBuilder& b = ctx.builder();
  const Shape shape = Shape::Of(DType::kF32, {static_cast<int64_t>(floats->size())});
  return ctx.Result(Bucketed(b, b.Convert(x, DType::kF32), b.Variable(shape, "boundaries", false)));
}

// Features, then the boundaries of each.
absl::Status BoostedTreesBucketize(OpContext& ctx) {
  const int64_t features = ctx.num_inputs() / 2;
  for (int64_t i = 0; i < features; ++i) {
    TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, i));
    TW_ASSIGN_OR_RETURN(OpId boundaries, Tensor(ctx, features + i));
    TW_ASSIGN_OR_RETURN(boundaries, Flattened(ctx.builder(), boundaries));
    ctx.Set(i, Bucketed(ctx.builder(), x, boundaries));
  }
  return absl::OkStatus();
}

// Rows of sorted numbers and of values: how many of a row are below each value
// (LowerBound), or not above it.
template <Comparison kComparison>
absl::Status Bound(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId sorted, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId values, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Shape rows = b.shape(sorted), wanted = b.shape(values);
  if (rows.rank() != 2 || wanted.rank() != 2) {
    return InvalidInput("found no rows of numbers");
  }
  const std::vector<Dim> dims = {wanted.dims[0], wanted.dims[1], rows.dims[1]};
  const OpId counted =
      b.Compare(kComparison, b.Broadcast(sorted, dims, {0, 2}), b.Broadcast(values, dims, {0, 1}));
  const DType type = TypeOr(ctx, "out_type", DType::kS32);
  return ctx.Result(b.Reduce(Reducer::kSum, b.Convert(counted, type), {2}));
}

using W = Weight;

constexpr OpEntry kEmbeddingOps[] = {
    {"BoostedTreesBucketize", BoostedTreesBucketize},
    {"Bucketize", Bucketize},
    {"LowerBound", Bound<Comparison::kLt>},
    {"SparseFillEmptyRows", SparseFillEmptyRows},
    {"SparseFillEmptyRowsGrad", SparseFillEmptyRowsGrad},
    {"SparseReorder", SparseReorder},
    {"SparseReshape", SparseReshape},
    {"SparseSegmentMean", SparseSegment<W::kMean>},
    {"SparseSegmentMeanGrad", SparseSegmentGrad<W::kMean>},
    {"SparseSegmentMeanWithNumSegments", SparseSegment<W::kMean>},
    {"SparseSegmentSqrtN", SparseSegment<W::kRoot>},
    {"SparseSegmentSqrtNGrad", SparseSegmentGrad<W::kRoot>},
    {"SparseSegmentSqrtNWithNumSegments", SparseSegment<W::kRoot>},
    {"SparseSegmentSum", SparseSegment<W::kSum>},
    {"SparseSegmentSumGrad", SparseSegmentGrad<W::kSum>},
    {"SparseSegmentSumWithNumSegments", SparseSegment<W::kSum>},
    {"SparseTensorDenseMatMul", SparseDenseMatMul},
    {"Unique", UniqueOp},
    {"UniqueV2", UniqueOp},
    {"UniqueWithCounts", UniqueOp},
    {"UniqueWithCountsV2", UniqueOp},
    {"UpperBound", Bound<Comparison::kLe>},
    {"Where", WhereOp},
};

}  // namespace

std::span<const OpEntry> EmbeddingOps() { return kEmbeddingOps; }

}  // namespace tilewise::tf
