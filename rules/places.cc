// Where findings about the whole program are put.

#include "rules/places.h"

namespace tilewise {
namespace {

Location FirstOp(const Facts& facts) {
  if (facts.source == nullptr) return {};
  Location first;
  for (const Op& op : facts.source->ops()) {
    if (!op.location.known()) continue;
    if (ClassOf(op.kind) == OpClass::kMxu) return op.location;
    if (!first.known()) first = op.location;
  }
  return first;
}

}  // namespace

Location PlaceOfBatch(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline != nullptr && pipeline->batch() != nullptr) {
    return pipeline->batch()->location;
  }
  const HostLoop& loop = facts.workload.host_loop;
  if (loop.fit.known()) return loop.fit;
  return PlaceOfModel(facts);
}

Location PlaceOfModel(const Facts& facts) {
  const HostLoop& loop = facts.workload.host_loop;
  return loop.compile.known() ? loop.compile : FirstOp(facts);
}

Location PlaceOfLoop(const Facts& facts) {
  const HostLoop& loop = facts.workload.host_loop;
  return loop.compile.known() ? loop.compile : loop.fit;
}

}  // namespace tilewise
