// Ops whose result is their first operand: a barrier, a copy in another layout,
// and copies to and from the memory of the host. Others are waited for.

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// What a loop carries starts as a splat, but does not stay one.
std::optional<double> BarrierSplat(const SplatCall& call) {
  return call.op.loop.id == 0 ? MovedSplat(call) : std::nullopt;
}

}  // namespace

// Operand 0, not before the others are computed, and never merged with it.
constexpr OpTraits op_traits::kBarrier = {.operands = OpTraits::kAtLeastOne,
                                          .shape = FirstShape,
                                          .gradient = PassGradient,
                                          .links = LinkFirst,
                                          .splat = BarrierSplat,
                                          .waits = true};
constexpr OpTraits op_traits::kCopy = {.operands = 1,
                                       .shape = FirstShape,
                                       .gradient = PassGradient,
                                       .links = LinkFirst,
                                       .splat = MovedSplat};
constexpr OpTraits op_traits::kCopyToHost = {
    .operands = 1, .shape = FirstShape, .links = LinkFirst};
// A copy to the host, not before the others are computed.
constexpr OpTraits op_traits::kCopyFromHost = {
    .operands = OpTraits::kAtLeastOne, .shape = FirstShape, .links = LinkFirst, .waits = true};

}  // namespace tilewise
