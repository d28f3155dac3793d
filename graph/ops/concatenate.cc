// Concatenate: operands joined along one dim, which may be the batch.

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/dims.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr ConcatenateShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<DimsAttrs>();
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckOneDim(attrs.dims, shape, "concatenate along"));
  const size_t dim = attrs.dims[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    Shape expected = *operands[0];
    const Shape& found = *operands[i];
    if (found.dims.size() == expected.dims.size() &&
        found.dims[dim].per_batch == expected.dims[dim].per_batch) {
      expected.dims[dim] = found.dims[dim];
    }
    TW_RETURN_IF_ERROR(CheckSame(operands, i, expected));
    shape.dims[dim].factor += found.dims[dim].factor;
    TW_RETURN_IF_ERROR(CheckSizes(shape));
  }
  return shape;
}

Gradients ConcatenateGradient(const GradientCall& call) {
  const int64_t dim = call.op.as<DimsAttrs>().dims[0];
  Gradients result;
  int64_t start = 0;
  for (size_t i = 0; i < call.op.operands.size(); ++i) {
    const int64_t limit = start + call.shape(i).size(dim);
    result.push_back(call.wants(i) ? call.builder.SliceDim(call.dy, dim, start, limit) : kNoOp);
    start = limit;
  }
  return result;
}

}  // namespace

constexpr OpTraits op_traits::kConcatenate = {.operands = OpTraits::kAtLeastOne,
                                              .attributes = kDimsFields,
                                              .shape = ConcatenateShape,
                                              .gradient = ConcatenateGradient,
                                              .links = LinkSame,
                                              .splat = MovedSplat};

}  // namespace tilewise
