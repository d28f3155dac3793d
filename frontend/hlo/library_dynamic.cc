// Custom calls for what StableHLO has and HLO has not: shapes that are data.
// The shape that the module states for the result is taken.

#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

bool SameKind(const Dim& a, const Dim& b) { return a == b || (a.per_batch && b.per_batch); }

}  // namespace

// Operand dims are the last ones of the result, or those that `dims` says; a
// dim of size 1 is stretched.
Value TranslateDynamicBroadcast(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const OpId x = site.operand(0);
  if (x == kNoOp) return e.Unary(OpKind::kReshape, x);
  std::vector<Dim> dims = GraphDims(site.shape);
  const std::vector<Dim> from = e.shape(x).dims;
  std::vector<int64_t> mapping = site.instruction.dims;
  if (mapping.size() != from.size()) {
    mapping.clear();
    for (size_t i = 0; i < from.size(); ++i) {
      mapping.push_back(static_cast<int64_t>(i));
    }
  }
  std::vector<Dim> kept;
  std::vector<int64_t> kept_mapping;
  for (size_t i = 0; i < from.size(); ++i) {
    const size_t to = mapping[i];
    if (to >= dims.size()) {
      e.Fail("found a mapped dim beyond the rank of the result");
      return {};
    }
    if (from[i] == Dim{} && !SameKind(dims[to], from[i])) continue;
    if (dims[to].per_batch || from[i].per_batch) dims[to] = from[i];
    kept.push_back(from[i]);
    kept_mapping.push_back(mapping[i]);
  }
  return BroadcastInDim(e, e.Reshape(x, std::move(kept)), std::move(dims), kept_mapping);
}

// The slice costs the same wherever it starts.
Value TranslateRealDynamicSlice(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const OpId x = site.operand(0);
  if (x == kNoOp) return e.Unary(OpKind::kReshape, x);
  const std::vector<Dim> to = GraphDims(site.shape);
  const std::vector<Dim> from = e.shape(x).dims;
  if (to.size() != from.size()) {
    e.Fail("found a slice of another rank than its operand");
    return {};
  }
  std::vector<int64_t> limits;
  limits.reserve(to.size());
  for (size_t i = 0; i < to.size(); ++i) {
    limits.push_back(from[i].per_batch || to[i].per_batch ? kWholeDim : to[i].factor);
  }
  return e.Slice(x, std::vector<int64_t>(to.size(), 0), std::move(limits), {});
}

Value TranslateBuffer(Translation& t, const Site& site) {
  if (site.shape.kind == HloShape::Kind::kTuple) {
    t.emit().Fail("found a buffer that is a tuple, expected an array");
    return {};
  }
  return t.emit().Constant(0, GraphShape(site.shape));
}

}  // namespace tilewise::hlo
