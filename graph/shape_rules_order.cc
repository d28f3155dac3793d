// Shape rules of ops whose result is a part or a reordering of an operand:
// dynamic slices, barriers, running reductions, sort and top-k.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/shape_rules.h"

namespace tilewise {
namespace {

// Operands from `first` on are one integer scalar per sliced dim.
absl::Status CheckStarts(const Op& op, Shapes operands, size_t first) {
  const size_t starts = operands.size() - std::min(first, operands.size());
  if (operands.size() < first || starts != op.attrs->dims.size()) {
    return InvalidInput(fmt::format("found {} starts, expected {}, one per dim",
                                    starts, op.attrs->dims.size()));
  }
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, operands[0]->rank(), "dims"));
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
  Shape widened = part;
  for (const int64_t dim : op.attrs->dims) {
    const auto i = static_cast<size_t>(dim);
    const bool all = i < part.dims.size() && part.dims[i] == whole.dims[i];
    if (whole.dims[i].per_batch && !all) {
      return InvalidInput(
          "found a slice of the batch dim, expected it to be kept whole");
    }
    if (i >= part.dims.size() || part.dims[i].per_batch ||
        part.dims[i].factor > whole.dims[i].factor) {
      continue;
    }
    widened.dims[i] = whole.dims[i];
  }
  if (widened.dims == whole.dims) return absl::OkStatus();
  return InvalidInput(fmt::format(
      "found {} as a part of {}, expected other sizes in dims {} only, none "
      "larger",
      FormatShape(part), FormatShape(whole), fmt::join(op.attrs->dims, ",")));
}

absl::Status CheckOneDim(const Op& op, const Shape& x) {
  if (op.attrs->dims.size() != 1) {
    return InvalidInput(fmt::format("found {} dims to order along, expected 1",
                                    op.attrs->dims.size()));
  }
  return CheckDims(op.attrs->dims, x.rank(), "dims");
}

absl::Status CheckResult(const Op& op, int64_t results) {
  if (op.attrs->result >= 0 && op.attrs->result < results) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found result {}, expected 0 to {}",
                                  op.attrs->result, results - 1));
}

}  // namespace

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
    return WrongOperand(1, *operands[1],
                        fmt::format("type {}", DTypeName(operands[0]->dtype)));
  }
  return *operands[0];
}

ShapeOr BarrierShape(const Op&, Shapes operands) { return *operands[0]; }

ShapeOr CumulativeShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReducer(op.attrs->reducer, operands, 0));
  TW_RETURN_IF_ERROR(CheckOneDim(op, *operands[0]));
  return *operands[0];
}

ShapeOr SortShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckOneDim(op, *operands[0]));
  TW_RETURN_IF_ERROR(CheckResult(op, static_cast<int64_t>(operands.size())));
  for (size_t i = 1; i < operands.size(); ++i) {
    TW_RETURN_IF_ERROR(
        CheckSame(operands, i, operands[0]->WithType(operands[i]->dtype)));
  }
  return *operands[static_cast<size_t>(op.attrs->result)];
}

ShapeOr TopKShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckResult(op, 2));
  Shape shape = *operands[0];
  if (shape.rank() < 1 || shape.dims.back().per_batch) {
    return WrongOperand(0, shape,
                        "a last dim that does not depend on the batch");
  }
  if (op.attrs->k < 1 || op.attrs->k > shape.dims.back().factor) {
    return InvalidInput(fmt::format("found k {}, expected 1 to {}", op.attrs->k,
                                    shape.dims.back().factor));
  }
  shape.dims.back().factor = op.attrs->k;
  if (op.attrs->result == 1) shape.dtype = DType::kS32;
  return shape;
}

}  // namespace tilewise
