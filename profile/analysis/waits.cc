// Who waits for whom: the device for its input, for other chips and for copies;
// the host for the device.

#include <algorithm>

#include <fmt/format.h>

#include "profile/analysis/analysis.h"

namespace tilewise {
namespace {

constexpr double kWorthSaying = 0.005;  // of the wall step

void AddWait(std::string waits, std::string for_what, Seconds time, ProfileAnalysis& analysis) {
  const Seconds step = analysis.steps.wall.mean;
  const double share = step > Seconds{} ? time / step : 0;
  if (share < kWorthSaying) return;
  analysis.waits.push_back(
      {.waits = std::move(waits), .for_what = std::move(for_what), .time = time, .share = share});
}

// Ops that do nothing but wait for another one's end.
void AddOpWaits(const Profile& profile, const ProfileTotals& totals, double steps,
                ProfileAnalysis& analysis) {
  for (const OpTotal& total : totals.ops) {
    const ProfileOp& op = profile.ops[total.op];
    const Seconds time = SecondsOf(total.self) / steps;
    if (total.kind == ProfileOpClass::kInfeed) {
      AddWait(op.name, fmt::format("an element of the input ({})", op.kind), time, analysis);
    } else if (total.kind == ProfileOpClass::kNetwork) {
      AddWait(op.name, fmt::format("a value of another device ({})", op.kind), time, analysis);
    } else if (op.name.find("-done") != std::string::npos) {
      const double bytes = LargestArrayBytes(op.hlo);
      const std::string size =
          bytes > 0 ? fmt::format(" of {}", FormatBytes({static_cast<int64_t>(bytes)})) : "";
      const bool host = total.kind == ProfileOpClass::kHostTransfer;
      const bool collective = total.kind == ProfileOpClass::kCollective;
      AddWait(op.name,
              collective ? fmt::format("the other chips{}", size)
              : host     ? fmt::format("a copy to or from host memory{}", size)
                         : fmt::format("a copy{}", size),
              time, analysis);
    }
  }
}

}  // namespace

void AddWaits(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis) {
  if (analysis.steps.windows.empty() || totals.devices.empty()) return;
  // Ops are counted over the whole profile, which may hold a little more than
  // the steps.
  const double devices = static_cast<double>(totals.devices.size());
  const double steps = static_cast<double>(std::max<int64_t>(analysis.steps.device.count, 1));
  AddOpWaits(profile, totals, steps * devices, analysis);
  Picoseconds barriers = 0;
  for (const DeviceTime& device : totals.devices) barriers += LengthOf(device.barriers);
  AddWait("the device, before a program", "the other chips (barrier)",
          SecondsOf(barriers) / (steps * devices), analysis);
  for (const HostTotal& total : totals.host) {
    if (total.kind != HostClass::kWaitsForDevice) continue;
    AddWait("the host", fmt::format("the device ({})", profile.ops[total.op].name),
            SecondsOf(total.self) / steps, analysis);
  }
  AddWait("the device", "the host's next program", analysis.TimeOf(StepPartKind::kHost), analysis);
  std::stable_sort(analysis.waits.begin(), analysis.waits.end(),
                   [](const ProfileWait& a, const ProfileWait& b) { return a.time > b.time; });
  constexpr size_t kMost = 20;
  if (analysis.waits.size() > kMost) analysis.waits.resize(kMost);
}

}  // namespace tilewise
