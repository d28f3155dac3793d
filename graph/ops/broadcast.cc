// Broadcast: the operand repeated along the dims of the result that none of its
// own maps to.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/moments.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr BroadcastShape(const Op& op, Shapes operands) {
  const Shape& from = *operands[0];
  const std::vector<int64_t>& mapping = op.as<BroadcastAttrs>().dims;
  TW_RETURN_IF_ERROR(CheckPerDim("mapped dims", mapping.size(), from.rank()));
  TW_RETURN_IF_ERROR(CheckDims(mapping, op.shape.rank(), "dims"));
  if (!std::is_sorted(mapping.begin(), mapping.end())) {
    return InvalidInput("found mapped dims out of order, expected ascending");
  }
  for (size_t i = 0; i < mapping.size(); ++i) {
    if (op.shape.dims[mapping[i]] != from.dims[i]) {
      return InvalidInput(fmt::format("{} does not map to {} by dims {}: dim {} differs in size",
                                      FormatShape(from), FormatShape(op.shape),
                                      fmt::join(mapping, ","), i));
    }
  }
  return op.shape.WithType(from.dtype);
}

Gradients BroadcastGradient(const GradientCall& call) {
  std::vector<int64_t> added = OtherDims(call.op.shape.rank(), call.op.as<BroadcastAttrs>().dims);
  return {call.builder.Reduce(Reducer::kSum, call.dy, std::move(added))};
}

void LinkMapped(const LinkCall& call) {
  const std::vector<int64_t>& dims = call.op.as<BroadcastAttrs>().dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    call.links.Link(0, static_cast<int64_t>(i), dims[i]);
  }
}

constexpr auto kBroadcastFields = FieldsOf<BroadcastAttrs, &BroadcastAttrs::dims>("dims");

}  // namespace

constexpr OpTraits op_traits::kBroadcast = {.operands = 1,
                                            .attributes = kBroadcastFields,
                                            .shape = BroadcastShape,
                                            .gradient = BroadcastGradient,
                                            .links = LinkMapped,
                                            .splat = MovedSplat};

}  // namespace tilewise
