// Transpose and reverse: the same elements in another order.

#include <utility>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/dims.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr TransposeShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<TransposeAttrs>();
  const Shape& from = *operands[0];
  TW_RETURN_IF_ERROR(CheckPerDim("permuted dims", attrs.dims.size(), from.rank()));
  TW_RETURN_IF_ERROR(CheckDims(attrs.dims, from.rank(), "dims"));
  Shape shape(from.dtype, {});
  for (const int64_t dim : attrs.dims) {
    shape.dims.push_back(from.dims[dim]);
  }
  return shape;
}

ShapeOr ReverseShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckDims(op.as<DimsAttrs>().dims, operands[0]->rank(), "dims"));
  return *operands[0];
}

Gradients TransposeGradient(const GradientCall& call) {
  const std::vector<int64_t>& permutation = call.op.as<TransposeAttrs>().dims;
  std::vector<int64_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    inverse[permutation[i]] = static_cast<int64_t>(i);
  }
  return {call.builder.Transpose(call.dy, std::move(inverse))};
}

Gradients ReverseGradient(const GradientCall& call) {
  return {call.builder.Reverse(call.dy, call.op.as<DimsAttrs>().dims)};
}

void LinkPermuted(const LinkCall& call) {
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    call.links.Link(0, call.op.as<TransposeAttrs>().dims[dim], dim);
  }
}

constexpr auto kTransposeFields = FieldsOf<TransposeAttrs, &TransposeAttrs::dims>("dims");

}  // namespace

constexpr OpTraits op_traits::kTranspose = {.operands = 1,
                                            .attributes = kTransposeFields,
                                            .shape = TransposeShape,
                                            .gradient = TransposeGradient,
                                            .links = LinkPermuted,
                                            .splat = MovedSplat};
constexpr OpTraits op_traits::kReverse = {.operands = 1,
                                          .attributes = kDimsFields,
                                          .shape = ReverseShape,
                                          .gradient = ReverseGradient,
                                          .links = LinkFirst,
                                          .splat = MovedSplat};

}  // namespace tilewise
