// Where findings about the whole program are put, and how a text names a location.

#include "advice/locations.h"

#include <fmt/format.h>

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

Location LocationOfBatch(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline != nullptr && pipeline->batch() != nullptr) {
    return pipeline->batch()->location;
  }
  const HostLoop& loop = facts.workload.host_loop;
  if (loop.fit.known()) return loop.fit;
  return LocationOfModel(facts);
}

Location LocationOfModel(const Facts& facts) {
  // The first op of a program stands in a helper that others call as well.
  const Location loop = facts.training ? LocationOfLoop(facts) : facts.workload.host_loop.compile;
  return loop.known() ? loop : FirstOp(facts);
}

Location LocationOfLoop(const Facts& facts) {
  const HostLoop& loop = facts.workload.host_loop;
  return loop.compile.known() ? loop.compile : loop.fit;
}

std::string LineText(const Location& location, const Location& finding) {
  // Files without lines have named items.
  if (location.line == 0 && !location.item.empty()) return location.item;
  std::string text = fmt::format("line {}", location.line);
  if (location.cell > 0) text += fmt::format(" of cell {}", location.cell);
  if (location.file != finding.file) text += fmt::format(" of {}", location.file);
  return text;
}

}  // namespace tilewise
