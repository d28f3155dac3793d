// Two measured rates, scaled.

#include "session/compile_time.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr double kLeastPerOp = 210.0 / 136'000;
constexpr double kMostPerOp = 410.0 / 15'425;

bool IsLaterTrip(const EnclosingLoop& loop) {
  return loop.first > 0 && std::abs(loop.id) != loop.first;
}

}  // namespace

int64_t CompiledOps(const Graph& graph) {
  // Weights that the trips of a loop have are stacked, and updated as one.
  std::vector<OpId> stacked;
  for (const Op& op : graph.ops()) {
    if (op.kind == OpKind::kVariable && IsLaterTrip(op.loop)) stacked.push_back(op.origin);
  }
  std::sort(stacked.begin(), stacked.end());
  const auto is_compiled = [&](const Op& op) {
    if (IsLaterTrip(op.loop)) return false;
    return op.phase != Phase::kUpdate ||
           !std::binary_search(stacked.begin(), stacked.end(), op.origin);
  };
  return std::count_if(graph.ops().begin(), graph.ops().end(), is_compiled);
}

CompileTime CompileTimeOf(int64_t ops) {
  const auto count = static_cast<double>(ops);
  return {{count * kLeastPerOp}, {count * kMostPerOp}};
}

std::string FormatCompileTime(const CompileTime& time) {
  return fmt::format("{} to {}", FormatSeconds(time.least), FormatSeconds(time.most));
}

}  // namespace tilewise
