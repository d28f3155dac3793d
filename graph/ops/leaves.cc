// Leaves: what has no operands and is not random.

#include <fmt/format.h>

#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr VariableShape(const Op& op, Shapes) {
  if (op.shape.is_static()) return op.shape;
  return InvalidInput(fmt::format("found {}, expected sizes that do not depend on the batch",
                                  FormatShape(op.shape)));
}

ShapeOr IotaShape(const Op& op, Shapes) {
  TW_RETURN_IF_ERROR(CheckOneDim(op, op.shape, "count along"));
  return op.shape;
}

}  // namespace

constexpr OpTraits op_traits::kParameter = {.shape = GivenShape};
constexpr OpTraits op_traits::kVariable = {.shape = VariableShape};
constexpr OpTraits op_traits::kConstant = {.shape = GivenShape};
constexpr OpTraits op_traits::kIota = {.shape = IotaShape};
// s32[]: the core's place on the mesh axis attrs.axis of attrs.group_size
// cores.
constexpr OpTraits op_traits::kPartitionId = {.shape = GivenShape};

}  // namespace tilewise
