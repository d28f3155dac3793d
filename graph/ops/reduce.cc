// Reduce, and arg-reduce: dims that go.

#include <cmath>
#include <optional>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/moments.h"
#include "graph/ops/dims.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr ReduceShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<ReduceAttrs>();
  TW_RETURN_IF_ERROR(CheckReducer(attrs.reducer, operands, 0));
  const Shape& from = *operands[0];
  const std::vector<int64_t>& dims = attrs.dims;
  TW_RETURN_IF_ERROR(CheckDims(dims, from.rank(), "dims"));
  Shape shape(from.dtype, {});
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    if (HasDim(dims, dim)) continue;
    shape.dims.push_back(from.dims[dim]);
  }
  return shape;
}

ShapeOr ArgReduceShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<ReduceAttrs>();
  TW_RETURN_IF_ERROR(CheckOneDim(attrs.dims, *operands[0], "search along"));
  if (attrs.reducer != Reducer::kMax && attrs.reducer != Reducer::kMin) {
    return InvalidInput("expected the index of a max or a min");
  }
  Shape shape = operands[0]->WithType(DType::kS32);
  shape.dims.erase(shape.dims.begin() + static_cast<ptrdiff_t>(attrs.dims[0]));
  return shape;
}

OpId ToWinners(const GradientCall& call, const std::vector<int64_t>& kept) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const Shape shape = call.shape(0);
  const OpId best = b.Broadcast(call.op.id, shape.dims, kept);
  const OpId won = b.Convert(b.Compare(Comparison::kEq, x, best), shape.dtype);
  const OpId winners = b.Reduce(Reducer::kSum, won, call.op.as<ReduceAttrs>().dims);
  const OpId share = b.Binary(OpKind::kDivide, call.dy, winners);
  return b.Binary(OpKind::kMultiply, won, b.Broadcast(share, shape.dims, kept));
}

// The gradient of a sum goes back to all elements, of an extremum to the
// winners (shared evenly between ties), of a product to the factors in
// proportion.
Gradients ReduceGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<ReduceAttrs>();
  GraphBuilder& b = call.builder;
  const Shape shape = call.shape(0);
  const std::vector<int64_t> kept = OtherDims(shape.rank(), attrs.dims);
  switch (attrs.reducer) {
    case Reducer::kSum:
      return {b.Broadcast(call.dy, shape.dims, kept)};
    case Reducer::kMax:
    case Reducer::kMin:
      return {ToWinners(call, kept)};
    default:  // product
      break;
  }
  const OpId product = b.Binary(OpKind::kMultiply, call.dy, call.op.id);
  return {b.Binary(OpKind::kDivide, b.Broadcast(product, shape.dims, kept), call.operand(0))};
}

bool IsSumExtremumOrProduct(const Op& op) {
  switch (op.as<ReduceAttrs>().reducer) {
    case Reducer::kSum:
    case Reducer::kMax:
    case Reducer::kMin:
    case Reducer::kProduct:
      return true;
    default:
      return false;
  }
}

void LinkKept(const LinkCall& call) {
  int64_t result = 0;
  for (int64_t dim = 0; dim < call.shape(0).rank(); ++dim) {
    if (!HasDim(call.op.as<ReduceAttrs>().dims, dim)) call.links.Link(0, dim, result++);
  }
}

std::optional<double> ReduceSplat(const SplatCall& call) {
  if (!IsFloat(call.op.shape.dtype)) return std::nullopt;
  const double x = call.values[0];
  const double count =
      static_cast<double>(call.operand.elements()) / static_cast<double>(call.op.shape.elements());
  switch (call.op.as<ReduceAttrs>().reducer) {
    case Reducer::kSum:
      return x * count;
    case Reducer::kMax:
    case Reducer::kMin:
      return x;
    case Reducer::kProduct:
      return std::pow(x, count);
    default:
      return std::nullopt;
  }
}

constexpr auto kReduceFields =
    FieldsOf<ReduceAttrs, &ReduceAttrs::dims, &ReduceAttrs::reducer>("dims", "reducer");

}  // namespace

constexpr OpTraits op_traits::kReduce = {.operands = 1,
                                         .attributes = kReduceFields,
                                         .shape = ReduceShape,
                                         .gradient = ReduceGradient,
                                         .has_gradient = IsSumExtremumOrProduct,
                                         .links = LinkKept,
                                         .splat = ReduceSplat};
// s32 index of the first max or min (attrs.reducer) along attrs.dims[0], which
// is removed.
constexpr OpTraits op_traits::kArgReduce = {.operands = 1,
                                            .attributes = kReduceFields,
                                            .shape = ArgReduceShape,
                                            .gradient = NoGradient,
                                            .links = LinkKept};

}  // namespace tilewise
