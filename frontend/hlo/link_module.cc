// Checks the calls between the computations of a module, without recursion.

#include "frontend/hlo/link_module.h"

#include <algorithm>

#include <fmt/format.h>

namespace tilewise::hlo {
namespace {

// The computations that each one calls, each named once.
std::vector<std::vector<int32_t>> Callees(const Module& module) {
  std::vector<std::vector<int32_t>> callees(module.computations.size());
  for (size_t at = 0; at < callees.size(); ++at) {
    for (const Instruction& i : module.computations[at].instructions) {
      callees[at].insert(callees[at].end(), i.called.begin(), i.called.end());
    }
    std::sort(callees[at].begin(), callees[at].end());
    callees[at].erase(std::unique(callees[at].begin(), callees[at].end()), callees[at].end());
  }
  return callees;
}

// One computation on the way down, and which of its callees is next.
struct Visit {
  int32_t computation = 0;
  size_t next = 0;
};

constexpr int32_t kUnknown = 0;
constexpr int32_t kOpen = -1;

// Depths of all that `root` calls and of itself into `depths`; kOpen marks what
// is on the way.
absl::Status Measure(const Module& module, const std::vector<std::vector<int32_t>>& callees,
                     int32_t root, std::vector<int32_t>& depths) {
  std::vector<Visit> path = {{root, 0}};
  while (!path.empty()) {
    Visit& visit = path.back();
    const size_t at = visit.computation;
    depths[at] = kOpen;
    if (visit.next < callees[at].size()) {
      const int32_t callee = callees[at][visit.next++];
      const int32_t depth = depths[callee];
      if (depth == kOpen) {
        return InvalidInput(
            fmt::format("computation {} calls itself", module.computations[callee].name));
      }
      if (depth == kUnknown) path.push_back({callee, 0});
      continue;
    }
    int32_t depth = 0;
    for (const int32_t callee : callees[at]) {
      depth = std::max(depth, depths[callee]);
    }
    if (depth >= kMaxCallDepth) {
      return InvalidInput(fmt::format("computation {} calls others more than {} deep",
                                      module.computations[at].name, kMaxCallDepth));
    }
    depths[at] = depth + 1;
    path.pop_back();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LinkModule(Module& module) {
  const std::vector<std::vector<int32_t>> callees = Callees(module);
  std::vector<int32_t> depths(callees.size(), kUnknown);
  for (size_t at = 0; at < callees.size(); ++at) {
    if (depths[at] != kUnknown) continue;
    TW_RETURN_IF_ERROR(Measure(module, callees, static_cast<int32_t>(at), depths));
  }
  for (size_t at = 0; at < callees.size(); ++at) {
    for (const Instruction& i : module.computations[at].instructions) {
      if (i.opcode != Opcode::kFusion) continue;
      for (const int32_t callee : i.called) {
        module.computations[callee].is_fusion = true;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace tilewise::hlo
