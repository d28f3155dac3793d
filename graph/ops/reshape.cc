// Reshape, and bitcast-convert: the same elements, or the same bits, in other
// dims. How the batch lies in the dims of a reshape decides which are linked,
// so that its links are found elsewhere (batch_marks).

#include <algorithm>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// Elements of one example; the caller has checked that they fit.
int64_t FactorProduct(const Shape& shape) {
  int64_t product = 1;
  for (const Dim& dim : shape.dims) product *= dim.factor;
  return product;
}

int64_t PerBatchDims(const Shape& shape) {
  return std::count_if(shape.dims.begin(), shape.dims.end(),
                       [](const Dim& dim) { return dim.per_batch; });
}

ShapeOr ReshapeShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  const Shape& from = *operands[0];
  if (FactorProduct(from) != FactorProduct(op.shape) ||
      PerBatchDims(from) != PerBatchDims(op.shape)) {
    return InvalidInput(fmt::format("{} has not as many elements as {}", FormatShape(from),
                                    FormatShape(op.shape.WithType(from.dtype))));
  }
  return op.shape.WithType(from.dtype);
}

// The last dim of the narrower type numbers the parts of a wider element.
ShapeOr BitcastConvertShape(const Op& op, Shapes operands) {
  Shape shape = operands[0]->WithType(op.shape.dtype);
  const int64_t from = BitWidth(operands[0]->dtype);
  const int64_t to = BitWidth(shape.dtype);
  if (IsComplex(shape.dtype) != IsComplex(operands[0]->dtype)) {
    return WrongOperand(0, *operands[0],
                        fmt::format("a type to read as {}", DTypeName(shape.dtype)));
  }
  if (from > to) shape.dims.push_back({from / to, false});
  if (from < to) {
    if (shape.rank() == 0 || shape.dims.back() != Dim{to / from, false}) {
      return WrongOperand(
          0, *operands[0],
          fmt::format("a last dim of {} to read as {}", to / from, DTypeName(shape.dtype)));
    }
    shape.dims.pop_back();
  }
  return shape;
}

Gradients ReshapeGradient(const GradientCall& call) {
  return {call.builder.Reshape(call.dy, call.shape(0).dims)};
}

void LinkLeadingBits(const LinkCall& call) {
  LinkLeading(call, {0}, std::min(call.rank(), call.shape(0).rank()));
}

// Other bits are another number.
std::optional<double> BitsSplat(const SplatCall& call) {
  return call.values[0] == 0 ? MovedSplat(call) : std::nullopt;
}

}  // namespace

constexpr OpTraits op_traits::kReshape = {
    .operands = 1, .shape = ReshapeShape, .gradient = ReshapeGradient, .splat = MovedSplat};
// The same bits as shape's type; a narrower one adds a last dim, a wider one
// takes it.
constexpr OpTraits op_traits::kBitcastConvert = {
    .operands = 1, .shape = BitcastConvertShape, .links = LinkLeadingBits, .splat = BitsSplat};

}  // namespace tilewise
