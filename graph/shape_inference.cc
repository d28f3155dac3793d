// The operand count, then the shape function of the kind, then the size.

#include "graph/shape_inference.h"

#include <fmt/format.h>

#include "graph/op_traits.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

absl::Status CheckOperandCount(int expected, size_t found) {
  if (expected == OpTraits::kAnyNumber || (expected == OpTraits::kAtLeastOne && found > 0)) {
    return absl::OkStatus();
  }
  if (expected == OpTraits::kAtLeastOne) {
    return InvalidInput("found no operands, expected at least 1");
  }
  if (found == static_cast<size_t>(expected)) return absl::OkStatus();
  return InvalidInput(fmt::format("found {} operands, expected {}", found, expected));
}

}  // namespace

absl::StatusOr<Shape> InferShape(const Op& op, std::span<const Shape* const> operands,
                                 int64_t least_size) {
  const OpTraits& traits = TraitsOf(op.kind);
  TW_RETURN_IF_ERROR(CheckOperandCount(traits.operands, operands.size()));
  TW_ASSIGN_OR_RETURN(Shape shape, traits.shape(op, operands));
  TW_RETURN_IF_ERROR(CheckSizes(shape, least_size));
  return shape;
}

}  // namespace tilewise
