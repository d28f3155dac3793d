// A gap of the device ends with what it waited for: the last copy or collective
// that ends before it goes on.

#include "cli/profile/waited_ops.h"

#include <algorithm>
#include <map>

#include "profile/analysis/op_class.h"
#include "profile/analysis/time_spans.h"

namespace tilewise {
namespace {

constexpr Picoseconds kRounding = 1000;  // of times in a trace

void AddWaitsOf(const ProfilePlane& plane, const TimeSpans& windows,
                std::map<uint32_t, Picoseconds>& waited) {
  TimeSpans core;
  std::vector<ProfileEvent> beside;
  for (const ProfileLine& line : plane.lines) {
    for (const ProfileEvent& event : line.events) {
      if (line.kind == LineKind::kOps) core.push_back({event.start, event.end()});
      if (line.kind == LineKind::kAsync) beside.push_back(event);
    }
  }
  if (beside.empty()) return;
  Normalize(core);
  std::ranges::stable_sort(beside, {}, &ProfileEvent::end);
  for (const TimeSpan& gap : Without(windows, core)) {
    const auto after =
        std::ranges::upper_bound(beside, gap.end + kRounding, {}, &ProfileEvent::end);
    if (after == beside.begin()) continue;
    const ProfileEvent& last = *(after - 1);
    const Picoseconds begin = std::max(gap.begin, last.start);
    const Picoseconds end = std::min(gap.end, last.end());
    if (end > begin + kRounding) waited[last.op] += end - begin;
  }
}

}  // namespace

std::vector<ProfileOpRow> WaitedOps(const Profile& profile, const ProfileAnalysis& analysis) {
  TimeSpans windows = analysis.steps.windows;
  Normalize(windows);
  std::map<uint32_t, Picoseconds> waited;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.kind == PlaneKind::kDevice) AddWaitsOf(plane, windows, waited);
  }
  std::vector<ProfileOpRow> rows;
  for (const auto& [index, time] : waited) {
    const ProfileOp& op = profile.ops[index];
    ProfileOpRow row{.name = op.name, .kind = op.kind, .source = op.source, .path = op.path};
    row.op_class = ClassOf(op);
    row.self = SecondsOf(time);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tilewise
