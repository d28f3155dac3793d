// Gathers and scatters: whole rows of the first dim where that is what they
// take, else slices at any index.

#include "frontend/hlo/ops.h"
#include "frontend/hlo/reducer.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

// Whether slices are rows: one index that picks in dim 0, which is left out.
bool PicksRows(const GatherDims& dims) {
  return dims.start_dims == std::vector<int64_t>{0} &&
         dims.collapsed_dims == std::vector<int64_t>{0} && dims.operand_batch.empty();
}

// Whether `dims` are the last of `rank`, in order.
bool AreLast(const std::vector<int64_t>& dims, int64_t rank) {
  if (static_cast<int64_t>(dims.size()) > rank) return false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t place = rank - static_cast<int64_t>(dims.size() - i);
    if (dims[i] != place) return false;
  }
  return true;
}

// `indices` without its index dim, of size 1. kNoOp when it is longer.
OpId PlainIndices(GraphBuilder& e, OpId indices, int64_t index_dim) {
  if (indices == kNoOp) return indices;
  std::vector<Dim> dims = e.shape(indices).dims;
  if (index_dim == static_cast<int64_t>(dims.size())) return indices;
  if (index_dim < 0 || index_dim > static_cast<int64_t>(dims.size()) || dims[index_dim] != Dim{}) {
    return kNoOp;
  }
  dims.erase(dims.begin() + index_dim);
  return e.Reshape(indices, std::move(dims));
}

bool TakesWholeRows(const GatherDims& dims, const Shape& table) {
  if (dims.slice_sizes.size() != table.dims.size() || table.rank() == 0) {
    return false;
  }
  for (size_t i = 1; i < table.dims.size(); ++i) {
    if (table.dims[i].per_batch || dims.slice_sizes[i] != table.dims[i].factor) {
      return false;
    }
  }
  return dims.slice_sizes[0] == 1;
}

OpId GatherRows(GraphBuilder& e, const GatherDims& dims, OpId table, OpId indices,
                int64_t result_rank) {
  if (table == kNoOp || !PicksRows(dims) || !AreLast(dims.offset_dims, result_rank) ||
      !TakesWholeRows(dims, e.shape(table))) {
    return kNoOp;
  }
  const OpId plain = PlainIndices(e, indices, dims.index_dim);
  if (plain == kNoOp) return kNoOp;
  return e.Add(OpKind::kGather, {table, plain});
}

// Whole rows added to zeros.
OpId ScatterRows(GraphBuilder& e, const GatherDims& dims, OpId table, OpId indices, OpId updates) {
  if (table == kNoOp || updates == kNoOp) return kNoOp;
  const Shape shape = e.shape(table);
  const Shape rows = e.shape(updates);
  if (!PicksRows(dims) || ConstantValue(e, table) != 0.0 ||
      !AreLast(dims.offset_dims, rows.rank()) ||
      static_cast<int64_t>(dims.offset_dims.size()) + 1 != shape.rank()) {
    return kNoOp;
  }
  const size_t first = rows.dims.size() - dims.offset_dims.size();
  for (size_t i = 1; i < shape.dims.size(); ++i) {
    if (rows.dims[first + i - 1] != shape.dims[i]) return kNoOp;
  }
  const OpId plain = PlainIndices(e, indices, dims.index_dim);
  if (plain == kNoOp) return kNoOp;
  return e.Add(OpKind::kScatterAdd, {plain, e.Convert(updates, shape.dtype)}, {}, shape);
}

OpId ScatterOne(Translation& t, const Site& site, const Computation& callee, size_t i,
                size_t count) {
  GraphBuilder& e = t.emit();
  const OpId table = site.operand(i);
  const OpId indices = site.operand(count);
  OpId updates = site.operand(count + 1 + i);
  if (updates == kNoOp || indices == kNoOp) return table;
  if (table != kNoOp) updates = e.Convert(updates, e.shape(table).dtype);
  const GatherDims& dims = site.more().gather;
  const bool assigns = count == 1 ? ReturnsParameter(t.module(), callee, 1) : false;
  SlicesAttrs attrs{dims};
  attrs.reducer = JoinOf(t.module(), callee, i, count);
  attrs.assign = assigns;
  attrs.promised = site.more().unique_indices || site.more().sorted_indices;
  if (!assigns && attrs.reducer == Reducer::kSum) {
    const OpId rows = ScatterRows(e, dims, table, indices, updates);
    if (rows != kNoOp) return rows;
  }
  if (assigns) attrs.reducer = Reducer::kSum;
  return e.Add(OpKind::kScatterSlices, {table, indices, updates}, std::move(attrs));
}

}  // namespace

Value TranslateGather(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const GatherDims& dims = site.more().gather;
  const auto rank = static_cast<int64_t>(site.shape.dims.size());
  const OpId rows = GatherRows(e, dims, site.operand(0), site.operand(1), rank);
  if (rows != kNoOp) return rows;
  return e.Add(OpKind::kGatherSlices, {site.operand(0), site.operand(1)}, SlicesAttrs{dims});
}

Value TranslateScatter(Translation& t, const Site& site) {
  const Computation* callee = t.Callee(site, 0);
  if (callee == nullptr) return {};
  const size_t count = (site.operands.size() - 1) / 2;
  if (site.operands.size() < 3) {
    t.emit().Fail("found fewer than 3 operands of a scatter");
    return {};
  }
  if (site.shape.kind == HloShape::Kind::kArray) {
    return ScatterOne(t, site, *callee, 0, count);
  }
  std::vector<Value> results;
  results.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    results.emplace_back(ScatterOne(t, site, *callee, i, count));
  }
  return Value::Tuple(std::move(results));
}

}  // namespace tilewise::hlo
