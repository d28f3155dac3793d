// Ops that order elements, and those whose number of results is data: these are
// given the most that there can be, as a TPU program has to.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/rearrange.h"
#include "library/reductions.h"

namespace tilewise::onnx {
namespace {

void TopK(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  std::optional<int64_t> k = ctx.KnownInt(1);
  if (ctx.Find("k") != nullptr) k = ctx.Int("k", 1);
  OpId x = ctx.Input(0);
  const int64_t axis = AxisOf(ctx, "axis", -1, b.shape(x).rank());
  if (!ctx.ok()) return;
  const Dim whole = b.shape(x).dims[axis];
  // A number that is data is at most all of them.
  if (!k) k = whole.factor;
  const bool smallest = ctx.Int("largest", 1) == 0;
  if (smallest) x = b.Unary(OpKind::kNegate, x);
  x = SwapDims(b, x, axis, -1);
  if (ctx.Wants(0)) {
    OpId values = b.TopK(x, *k, 0);
    if (smallest) values = b.Unary(OpKind::kNegate, values);
    ctx.Set(0, SwapDims(b, values, axis, -1));
  }
  if (ctx.Wants(1)) {
    const OpId indices = SwapDims(b, b.TopK(x, *k, 1), axis, -1);
    ctx.Set(1, b.Convert(indices, DType::kS64));
  }
}

// Returns all of a tensor as one dim.
OpId Flat(GraphBuilder& b, OpId x) {
  Dim all = {1, false};
  for (const Dim& dim : b.shape(x).dims) {
    all.factor *= dim.factor;
    all.per_batch = all.per_batch || dim.per_batch;
  }
  return b.Reshape(x, {all});
}

// Indices of the elements that are not 0, before those of all others.
void NonZero(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  if (const KnownValue* x = ctx.Folded(0)) {
    if (x->rank() == 1) {
      std::vector<int64_t> places;
      for (int64_t i = 0; i < x->size(); ++i) {
        if (x->elements[i].value != 0) {
          places.push_back(i);
        }
      }
      MaybeKnown row = KnownUnsqueeze(KnownVector(places), {0});
      if (ctx.SetIfKnown(0, row)) return;
    }
  }
  const OpId x = ctx.Input(0);
  const Shape shape = b.shape(x);
  const OpId found = b.Convert(AsPred(b, Flat(b, x)), DType::kS32);
  const OpId places = b.Iota(b.shape(found), 0);
  const OpId order = b.Sort({found, places}, 0, /*descending=*/true, 1);
  const std::vector<OpId> rows(std::max<int64_t>(shape.rank(), 1), Unsqueezed(b, order, {0}));
  OpId all = rows.size() == 1 ? rows[0] : b.Concatenate(rows, 0);
  ctx.Set(0, b.Convert(all, DType::kS64));
}

// Elements that a condition keeps, before the others.
void Compress(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId x = ctx.Input(0);
  const bool flat = ctx.Find("axis") == nullptr;
  if (flat) x = Flat(b, x);
  const int64_t axis = flat ? 0 : AxisOf(ctx, "axis", 0, b.shape(x).rank());
  if (!ctx.ok()) return;
  const Shape shape = b.shape(x);
  const OpId condition = b.Convert(ctx.Input(1), DType::kS32);
  if (!ctx.ok() || b.shape(condition).dims[0] != shape.dims[axis]) {
    return ctx.Fail("found a condition that is shorter than the operand");
  }
  const OpId keys = AlongDim(b, condition, b.Iota(shape.WithType(DType::kS32), axis), axis);
  ctx.Set(0, b.Sort({keys, x}, axis, /*descending=*/true, 1));
}

// Sorted; as many as there are elements.
void Unique(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  if (ctx.Find("axis") != nullptr) {
    return ctx.Fail("unique slices along an axis are not lowered");
  }
  const OpId x = Flat(b, ctx.Input(0));
  const OpId places = b.Iota(b.shape(x).WithType(DType::kS32), 0);
  ctx.Set(0, b.Sort({x}, 0));
  const OpId order = b.Sort({x, places}, 0, false, 1);
  for (size_t i = 1; i < 4; ++i) {
    if (ctx.Wants(i)) ctx.Set(i, b.Convert(order, DType::kS64));
  }
}

constexpr OpEntry kOrderOps[] = {
    {kStandard, "TopK", TopK},
    {kStandard, "NonZero", NonZero},
    {kStandard, "Compress", Compress},
    {kStandard, "Unique", Unique},
};

}  // namespace

std::span<const OpEntry> OrderOps() { return kOrderOps; }

}  // namespace tilewise::onnx
