// Ops nothing is known about but their shape.

#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// The gradient is as unknown as the op itself, but shows up in the step with
// its shape.
Gradients OpaqueGradient(const GradientCall& call) {
  Gradients result;
  for (size_t i = 0; i < call.op.operands.size(); ++i) {
    std::vector<OpId> operands = call.op.operands;
    operands.push_back(call.dy);
    result.push_back(
        call.wants(i)
            ? call.builder.Opaque(fmt::format("{} gradient", call.op.as<OpaqueAttrs>().label),
                                  std::move(operands), call.shape(i))
            : kNoOp);
  }
  return result;
}

// Dims of one number and size are taken for the same.
void LinkEqual(const LinkCall& call) {
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    call.links.AddResult(dim);
    for (size_t i = 0; i < call.op.operands.size(); ++i) {
      const Shape& shape = call.shape(i);
      const bool same = dim < shape.rank() && shape.size(dim) == call.op.shape.size(dim);
      if (same) call.links.Add(i, dim);
    }
    call.links.Close();
  }
}

constexpr auto kOpaqueFields = FieldsOf<OpaqueAttrs, &OpaqueAttrs::label>("label");

}  // namespace

constexpr OpTraits op_traits::kOpaque = {.operands = OpTraits::kAnyNumber,
                                         .attributes = kOpaqueFields,
                                         .shape = GivenShape,
                                         .gradient = OpaqueGradient,
                                         .links = LinkEqual};

}  // namespace tilewise
