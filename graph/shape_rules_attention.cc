// Shape rules of attention, whole and as flash kernels.

#include <fmt/format.h>

#include "graph/attention.h"
#include "graph/shape_rules.h"

namespace tilewise {
namespace {

// Four dims, of which only the batch may be per batch.
absl::Status CheckHeads(Shapes operands, size_t operand) {
  const Shape& x = *operands[operand];
  TW_RETURN_IF_ERROR(CheckReal(operands, operand));
  bool is_static = x.rank() == 4;
  for (size_t i = 1; i < x.dims.size(); ++i) {
    is_static = is_static && !x.dims[i].per_batch;
  }
  if (is_static) return absl::OkStatus();
  return WrongOperand(operand, x, "[batch,positions,heads,depth]");
}

// q, k and v belong together; false positives of CheckSame name the operand.
absl::Status CheckQueryKeyValue(Shapes operands) {
  for (size_t i = 0; i < 3; ++i) TW_RETURN_IF_ERROR(CheckHeads(operands, i));
  const Shape& q = *operands[0];
  const Shape& k = *operands[1];
  Shape keys(q.dtype, {q.dims[0], k.dims[1], k.dims[2], q.dims[3]});
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, keys));
  keys.dims[3] = operands[2]->dims[3];
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, keys));
  if (q.dims[2].factor % k.dims[2].factor == 0) return absl::OkStatus();
  return InvalidInput(fmt::format(
      "found {} heads and {} key heads, expected a multiple of the key heads",
      q.dims[2].factor, k.dims[2].factor));
}

absl::Status CheckMask(Shapes operands, size_t operand) {
  const Shape& mask = *operands[operand];
  const Shape& q = *operands[0];
  const Shape scores(q.dtype,
                     {q.dims[0], q.dims[2], q.dims[1], operands[1]->dims[1]});
  bool stretches =
      mask.rank() == 4 && (mask.dtype == DType::kPred || mask.dtype == q.dtype);
  for (size_t i = 0; i < mask.dims.size() && stretches; ++i) {
    stretches = mask.dims[i] == scores.dims[i] || mask.dims[i] == Dim{1, false};
  }
  if (stretches) return absl::OkStatus();
  return WrongOperand(
      operand, mask,
      fmt::format("a mask that stretches to {}", FormatShape(scores)));
}

absl::Status CheckCount(size_t found, size_t without_mask) {
  if (found == without_mask || found == without_mask + 1) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found {} operands, expected {} or {}", found,
                                  without_mask, without_mask + 1));
}

absl::Status CheckResult(const Op& op, int64_t results) {
  if (op.attrs->result >= 0 && op.attrs->result < results) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found result {}, expected 0 to {}",
                                  op.attrs->result, results - 1));
}

// A pair of sizes forward and one or two for the gradient, or none; a window of
// keys only with the mask that it narrows.
absl::Status CheckBlocks(const Op& op) {
  const int64_t seen = op.attrs->sliding_window;
  if (seen < 0 || (seen > 0 && !op.attrs->causal)) {
    return InvalidInput(fmt::format(
        "found a sliding window of {} keys, expected none or a causal one",
        seen));
  }
  const std::vector<WindowDim>& sizes = op.attrs->window;
  bool fits = sizes.empty() || sizes.size() == 4 || sizes.size() == 6;
  for (const WindowDim& block : sizes) fits = fits && block.size >= 1;
  if (fits) return absl::OkStatus();
  return InvalidInput(fmt::format(
      "found {} sizes of blocks, expected none, four or six above zero",
      sizes.size()));
}

Shape Attended(Shapes operands) {
  Shape shape = *operands[0];
  shape.dims[3] = operands[2]->dims[3];
  return shape;
}

// One number per query, in all lanes of `registers` registers.
Shape Spread(Shapes operands, int64_t registers) {
  const Shape& q = *operands[0];
  return {
      DType::kF32,
      {q.dims[0], q.dims[1], q.dims[2], {kStatisticLanes * registers, false}}};
}

// One number per query: [batch,heads,queries].
Shape Rows(Shapes operands) {
  const Shape& q = *operands[0];
  return {DType::kF32, {q.dims[0], q.dims[2], q.dims[1]}};
}

absl::Status CheckSpreadRows(Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSame(operands, 3, Spread(operands, 1)));
  TW_RETURN_IF_ERROR(CheckSame(operands, 4, Spread(operands, 1)));
  TW_RETURN_IF_ERROR(CheckSame(operands, 7, Spread(operands, 1)));
  const int64_t registers =
      AttentionKeyBlock(operands[1]->dims[1].factor) / kStatisticLanes;
  return CheckSame(operands, 8, Spread(operands, registers));
}

absl::Status CheckOutputAndRows(Shapes operands) {
  TW_RETURN_IF_ERROR(CheckCount(operands.size(), 6));
  TW_RETURN_IF_ERROR(CheckSame(operands, 3, Attended(operands)));
  return CheckSame(operands, 4, Rows(operands));
}

}  // namespace

ShapeOr AttentionShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckBlocks(op));
  TW_RETURN_IF_ERROR(CheckCount(operands.size(), 3));
  TW_RETURN_IF_ERROR(CheckQueryKeyValue(operands));
  if (operands.size() == 4) TW_RETURN_IF_ERROR(CheckMask(operands, 3));
  return Attended(operands);
}

ShapeOr FlashAttentionShape(const Op& op, Shapes operands) {
  TW_ASSIGN_OR_RETURN(Shape output, AttentionShape(op, operands));
  TW_RETURN_IF_ERROR(CheckResult(op, 4));
  if (op.attrs->result == 0) return output;
  return op.attrs->result == 1 ? Rows(operands) : Spread(operands, 1);
}

ShapeOr FlashAttentionGradShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckBlocks(op));
  if (operands.size() < 6) return CheckCount(operands.size(), 6);
  TW_RETURN_IF_ERROR(CheckQueryKeyValue(operands));
  TW_RETURN_IF_ERROR(operands.size() == 9 ? CheckSpreadRows(operands)
                                          : CheckOutputAndRows(operands));
  TW_RETURN_IF_ERROR(CheckSame(operands, 5, Attended(operands)));
  if (operands.size() > 6) TW_RETURN_IF_ERROR(CheckMask(operands, 6));
  TW_RETURN_IF_ERROR(CheckResult(op, 3));
  return *operands[static_cast<size_t>(op.attrs->result)];
}

}  // namespace tilewise
