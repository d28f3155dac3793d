// Dynamic-slice and dynamic-update-slice: a part that starts where scalars say.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/dims.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// Operands from `first` on are one integer scalar per sliced dim.
absl::Status CheckStarts(const Op& op, Shapes operands, size_t first) {
  const auto& attrs = op.as<DimsAttrs>();
  const size_t starts = operands.size() - std::min(first, operands.size());
  if (operands.size() < first || starts != attrs.dims.size()) {
    return InvalidInput(
        fmt::format("found {} starts, expected {}, one per dim", starts, attrs.dims.size()));
  }
  TW_RETURN_IF_ERROR(CheckDims(attrs.dims, operands[0]->rank(), "dims"));
  for (size_t i = first; i < operands.size(); ++i) {
    const Shape& start = *operands[i];
    if (start.rank() != 0 || !IsInteger(start.dtype)) {
      return WrongOperand(i, start, "an integer scalar");
    }
  }
  return absl::OkStatus();
}

// `part` is `whole` but for smaller static sizes in the sliced dims.
absl::Status CheckPart(const Op& op, const Shape& whole, const Shape& part) {
  const auto& attrs = op.as<DimsAttrs>();
  Shape widened = part;
  for (const int64_t dim : attrs.dims) {
    const size_t i = dim;
    const bool all = i < part.dims.size() && part.dims[i] == whole.dims[i];
    if (whole.dims[i].per_batch && !all) {
      return InvalidInput("found a slice of the batch dim, expected it to be kept whole");
    }
    if (i >= part.dims.size() || part.dims[i].per_batch ||
        part.dims[i].factor > whole.dims[i].factor) {
      continue;
    }
    widened.dims[i] = whole.dims[i];
  }
  if (widened.dims == whole.dims) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found {} as a part of {}, expected other sizes in dims {} only, none "
                  "larger",
                  FormatShape(part), FormatShape(whole), fmt::join(attrs.dims, ",")));
}

ShapeOr DynamicSliceShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckStarts(op, operands, 1));
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  TW_RETURN_IF_ERROR(CheckPart(op, *operands[0], op.shape));
  return op.shape.WithType(operands[0]->dtype);
}

ShapeOr DynamicUpdateSliceShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckStarts(op, operands, 2));
  TW_RETURN_IF_ERROR(CheckPart(op, *operands[0], *operands[1]));
  if (operands[1]->dtype != operands[0]->dtype) {
    return WrongOperand(1, *operands[1], fmt::format("type {}", DTypeName(operands[0]->dtype)));
  }
  return *operands[0];
}

std::vector<OpId> Starts(const GradientCall& call, ptrdiff_t first) {
  return {call.op.operands.begin() + first, call.op.operands.end()};
}

Gradients DynamicSliceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result(call.op.operands.size(), kNoOp);
  result[0] = b.DynamicUpdateSlice(b.Constant(0, call.shape(0)), call.dy, Starts(call, 1),
                                   call.op.as<DimsAttrs>().dims);
  return result;
}

Gradients DynamicUpdateSliceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const std::vector<int64_t>& dims = call.op.as<DimsAttrs>().dims;
  const Shape part = call.shape(1);
  Gradients result(call.op.operands.size(), kNoOp);
  if (call.wants(0)) {
    result[0] = b.DynamicUpdateSlice(call.dy, b.Constant(0, part), Starts(call, 2), dims);
  }
  if (call.wants(1)) {
    std::vector<int64_t> sizes;
    for (const int64_t dim : dims) sizes.push_back(part.size(dim));
    result[1] = b.DynamicSlice(call.dy, Starts(call, 2), dims, sizes);
  }
  return result;
}

void LinkTaken(const LinkCall& call) {
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    if (call.op.shape.size(dim) != call.shape(0).size(dim)) continue;
    call.links.Link(0, dim, dim);
  }
}

void LinkUpdated(const LinkCall& call) {
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    call.links.AddResult(dim);
    call.links.Add(0, dim);
    const bool is_whole = call.shape(1).size(dim) == call.op.shape.size(dim);
    if (is_whole) call.links.Add(1, dim);
    call.links.Close();
  }
}

}  // namespace

// x, a scalar start per attrs.dims. Sizes come from the shape, starts are
// clamped.
constexpr OpTraits op_traits::kDynamicSlice = {.operands = OpTraits::kAtLeastOne,
                                               .attributes = kDimsFields,
                                               .shape = DynamicSliceShape,
                                               .gradient = DynamicSliceGradient,
                                               .links = LinkTaken,
                                               .splat = MovedSplat};
// x, update, a scalar start per attrs.dims.
constexpr OpTraits op_traits::kDynamicUpdateSlice = {.operands = OpTraits::kAtLeastOne,
                                                     .attributes = kDimsFields,
                                                     .shape = DynamicUpdateSliceShape,
                                                     .gradient = DynamicUpdateSliceGradient,
                                                     .links = LinkUpdated,
                                                     .splat = MovedSplat};

}  // namespace tilewise
