// Steps, their parts and the tables.

#include "profile/analysis/analysis.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace tilewise {
namespace {

// The order counts: where several run at a time, the first one does.
constexpr std::pair<ProfileOpClass, StepPartKind> kBusyParts[] = {
    {ProfileOpClass::kMatmul, StepPartKind::kMatmul},
    {ProfileOpClass::kCompute, StepPartKind::kCompute},
    {ProfileOpClass::kContainer, StepPartKind::kCompute},
    {ProfileOpClass::kIgnored, StepPartKind::kCompute},
    {ProfileOpClass::kCopy, StepPartKind::kCopy},
    {ProfileOpClass::kCollective, StepPartKind::kCollective},
    {ProfileOpClass::kHostTransfer, StepPartKind::kHostTransfer},
    {ProfileOpClass::kOutfeed, StepPartKind::kOutput},
    {ProfileOpClass::kInfeed, StepPartKind::kInput},
    {ProfileOpClass::kNetwork, StepPartKind::kNetwork},
};

// Moves what `rest` and `set` share from `rest` to the part.
void Take(const TimeSpans& set, StepPartKind kind, TimeSpans& rest, double (&parts)[kStepParts]) {
  if (set.empty() || rest.empty()) return;
  parts[static_cast<int>(kind)] += static_cast<double>(LengthOf(Both(rest, set)));
  rest = Without(rest, set);
}

// Returns when a program was on the device.
TimeSpans ProgramsOf(const ProfilePlane& plane) {
  TimeSpans programs;
  for (const ProfileLine& line : plane.lines) {
    if (line.kind != LineKind::kModules) continue;
    for (const ProfileEvent& event : line.events) programs.push_back({event.start, event.end()});
  }
  Normalize(programs);
  return programs;
}

// Picoseconds of all windows together, for one device.
void AddParts(const DeviceTime& device, const TimeSpans& programs, const ProfileTotals& totals,
              const TimeSpans& windows, double (&parts)[kStepParts]) {
  TimeSpans rest = windows;
  Normalize(rest);
  for (const auto& [kind, part] : kBusyParts) {
    Take(device.busy[static_cast<int>(kind)], part, rest, parts);
  }
  // The device is idle: what runs meanwhile is what it waits for.
  Take(device.asynchronous[static_cast<int>(ProfileOpClass::kCollective)],
       StepPartKind::kCollective, rest, parts);
  Take(device.asynchronous[static_cast<int>(ProfileOpClass::kHostTransfer)],
       StepPartKind::kHostTransfer, rest, parts);
  Take(device.barriers, StepPartKind::kCollective, rest, parts);
  // The device waits for itself between two ops of a program.
  Take(programs, StepPartKind::kCompute, rest, parts);
  Take(totals.input, StepPartKind::kInput, rest, parts);
  Take(totals.compile, StepPartKind::kCompile, rest, parts);
  Take(totals.transfer, StepPartKind::kHostTransfer, rest, parts);
  parts[static_cast<int>(StepPartKind::kHost)] += static_cast<double>(LengthOf(rest));
}

void SetParts(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis) {
  const TimeSpans& windows = analysis.steps.windows;
  double parts[kStepParts] = {};
  for (const DeviceTime& device : totals.devices) {
    AddParts(device, ProgramsOf(profile.planes[device.plane]), totals, windows, parts);
  }
  double all = 0;
  for (const TimeSpan& window : windows) all += static_cast<double>(window.end - window.begin);
  all *= static_cast<double>(totals.devices.size());
  if (all <= 0) return;
  const double steps = static_cast<double>(windows.size() * totals.devices.size());
  double waiting = 0;
  for (int i = 0; i < kStepParts; ++i) {
    const auto kind = static_cast<StepPartKind>(i);
    if (parts[i] > 0) {
      analysis.parts.push_back(
          {.kind = kind, .time = {parts[i] / steps * 1e-12}, .share = parts[i] / all});
    }
    if (kind == StepPartKind::kHost || kind == StepPartKind::kCompile ||
        kind == StepPartKind::kInput || kind == StepPartKind::kNetwork) {
      waiting += parts[i];
    }
  }
  std::stable_sort(analysis.parts.begin(), analysis.parts.end(),
                   [](const StepPartTime& a, const StepPartTime& b) { return a.time > b.time; });
  analysis.device_busy = 1 - waiting / all;
}

// Idle time of devices that work for less time than they wait for values counts
// as waiting: a message that is on its way has no event.
void CountIdleAsNetwork(ProfileAnalysis& analysis) {
  const double network = analysis.ShareOf(StepPartKind::kNetwork);
  double work = 0;
  for (const StepPartTime& part : analysis.parts) {
    if (part.kind != StepPartKind::kNetwork && part.kind != StepPartKind::kHost) work += part.share;
  }
  analysis.distributed = analysis.devices > 1 && network > work;
  const double idle = analysis.ShareOf(StepPartKind::kHost);
  if (!analysis.distributed || idle <= 0) return;
  analysis.notes.push_back(
      fmt::format("Ops that receive values take {} of the step; the devices do nothing for another "
                  "{}, which counts as waiting for the network: a message on its way has no event.",
                  FormatPercent(network), FormatPercent(idle)));
  const Seconds time = analysis.TimeOf(StepPartKind::kHost);
  std::erase_if(analysis.parts,
                [](const StepPartTime& part) { return part.kind == StepPartKind::kHost; });
  for (StepPartTime& part : analysis.parts) {
    if (part.kind != StepPartKind::kNetwork) continue;
    part.time += time;
    part.share += idle;
  }
  std::stable_sort(analysis.parts.begin(), analysis.parts.end(),
                   [](const StepPartTime& a, const StepPartTime& b) { return a.time > b.time; });
}

// Of a profile without devices: what the threads of the host say of its steps.
void SetHostParts(const ProfileTotals& totals, ProfileAnalysis& analysis) {
  TimeSpans rest = analysis.steps.windows;
  Normalize(rest);
  const auto all = static_cast<double>(LengthOf(rest));
  if (all <= 0) return;
  double parts[kStepParts] = {};
  Take(totals.input, StepPartKind::kInput, rest, parts);
  Take(totals.compile, StepPartKind::kCompile, rest, parts);
  Take(totals.transfer, StepPartKind::kHostTransfer, rest, parts);
  parts[static_cast<int>(StepPartKind::kCompute)] = static_cast<double>(LengthOf(rest));
  const auto steps = static_cast<double>(analysis.steps.windows.size());
  for (int i = 0; i < kStepParts; ++i) {
    if (parts[i] <= 0) continue;
    analysis.parts.push_back({.kind = static_cast<StepPartKind>(i),
                              .time = {parts[i] / steps * 1e-12},
                              .share = parts[i] / all});
  }
  std::stable_sort(analysis.parts.begin(), analysis.parts.end(),
                   [](const StepPartTime& a, const StepPartTime& b) { return a.time > b.time; });
}

void SetRates(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis) {
  double flops = 0, bytes = 0;
  for (const DeviceTime& device : totals.devices) {
    const ProfilePlane& plane = profile.planes[device.plane];
    if (plane.peak_flops > 0) analysis.peak_flops = plane.peak_flops;
    if (plane.peak_hbm > 0) analysis.peak_hbm = plane.peak_hbm;
    if (analysis.device_type.empty()) analysis.device_type = plane.device_type;
    flops += device.flops;
    bytes += device.bytes;
  }
  double seconds = 0;
  for (const TimeSpan& window : analysis.steps.windows) {
    seconds += SecondsOf(window.end - window.begin).value;
  }
  seconds *= static_cast<double>(totals.devices.size());
  if (seconds <= 0) return;
  if (flops > 0 && analysis.peak_flops > 0) {
    analysis.mxu_use = flops / seconds / analysis.peak_flops;
  }
  if (bytes > 0 && analysis.peak_hbm > 0) analysis.hbm_use = bytes / seconds / analysis.peak_hbm;
}

std::string BoundOf(const ProfileOpRow& row, const ProfileOp& op, const ProfileAnalysis& analysis) {
  if (row.op_class == ProfileOpClass::kCollective) return "interconnect";
  if (row.op_class == ProfileOpClass::kHostTransfer) return "host link";
  if (row.op_class == ProfileOpClass::kInfeed) return "input";
  if (op.name.find("-start") != std::string::npos) return "";
  if (analysis.peak_flops <= 0 || analysis.peak_hbm <= 0 || op.bytes <= 0) return "";
  const double ridge = analysis.peak_flops / analysis.peak_hbm;
  return op.flops / op.bytes < ridge ? "HBM" : "MXU";
}

void SetTables(const Profile& profile, const ProfileTotals& totals, ProfileAnalysis& analysis) {
  double all = 0;
  for (const OpTotal& total : totals.ops) all += static_cast<double>(total.self);
  std::map<std::string, CategoryRow> categories;
  for (const OpTotal& total : totals.ops) {
    const ProfileOp& op = profile.ops[total.op];
    ProfileOpRow row{.name = op.name, .kind = op.kind, .source = op.source, .path = op.path};
    row.op_class = total.kind;
    row.count = total.count;
    row.self = SecondsOf(total.self);
    row.average = row.self / static_cast<double>(total.count);
    row.share = all > 0 ? static_cast<double>(total.self) / all : 0;
    if (row.average > Seconds{}) {
      row.flop_rate = op.flops / row.average.value;
      row.byte_rate = op.bytes / row.average.value;
    }
    // The start of a copy takes no time of its own.
    const bool start = op.name.find("-start") != std::string::npos;
    if (start) row.byte_rate = 0;
    // What a copy to the host moves stands in its shapes alone.
    if (row.byte_rate == 0 && !start && total.kind == ProfileOpClass::kHostTransfer &&
        row.average > Seconds{}) {
      row.byte_rate = LargestArrayBytes(op.hlo) / row.average.value;
    }
    if (analysis.peak_flops > 0) row.peak_share = row.flop_rate / analysis.peak_flops;
    row.bound = BoundOf(row, op, analysis);
    const std::string category =
        op.kind.empty() ? std::string(ProfileOpClassName(total.kind)) : op.kind;
    CategoryRow& group = categories[category];
    group.name = category;
    group.count += total.count;
    group.self += row.self;
    group.share += row.share;
    analysis.ops.push_back(std::move(row));
  }
  for (auto& [name, group] : categories) analysis.categories.push_back(std::move(group));
  std::stable_sort(analysis.categories.begin(), analysis.categories.end(),
                   [](const CategoryRow& a, const CategoryRow& b) { return a.self > b.self; });
  for (const HostTotal& total : totals.host) {
    analysis.host.push_back({.name = profile.ops[total.op].name,
                             .kind = total.kind,
                             .count = total.count,
                             .self = SecondsOf(total.self)});
  }
}

// A rate above what the chip can do tells of a wrong clock or of wrong FLOPs.
void CheckRates(ProfileAnalysis& analysis) {
  constexpr double kImpossible = 1.3;
  for (const ProfileOpRow& row : analysis.ops) {
    if (row.peak_share < kImpossible || row.share < 0.01) continue;
    analysis.notes.push_back(
        fmt::format("{} would run at {:.1f} times the peak: the profile's clock or its FLOPs are "
                    "wrong.",
                    row.name, row.peak_share));
    return;
  }
}

// What ran the model; a tool's summary says it in a word.
void SetHardware(const Profile& profile, ProfileAnalysis& analysis) {
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.kind != PlaneKind::kDevice || plane.lines.empty()) continue;
    if (analysis.hardware == Hardware::kUnknown || plane.hardware == Hardware::kTpu) {
      analysis.hardware = plane.hardware;
    }
  }
  const std::string& stated = profile.stated.hardware;
  const auto says = [&](const char* word) { return stated.find(word) != std::string::npos; };
  if (analysis.hardware == Hardware::kUnknown) {
    analysis.hardware = says("TPU")   ? Hardware::kTpu
                        : says("GPU") ? Hardware::kGpu
                        : says("CPU") ? Hardware::kCpu
                                      : Hardware::kUnknown;
  }
  if (analysis.hardware != Hardware::kGpu && analysis.hardware != Hardware::kCpu) return;
  analysis.notes.push_back(
      fmt::format("This is a profile of a {}: the rules on what a TPU computes do not apply to it. "
                  "A program beside it is simulated where --chip names a TPU.",
                  analysis.hardware == Hardware::kGpu ? "GPU" : "CPU"));
}

}  // namespace

std::string_view StepPartName(StepPartKind kind) {
  static constexpr std::string_view kNames[kStepParts] = {"matmuls and convolutions",
                                                          "other compute",
                                                          "copies on the device",
                                                          "collectives",
                                                          "transfers to and from the host",
                                                          "waiting for input",
                                                          "output",
                                                          "waiting for the network",
                                                          "compilation",
                                                          "idle: the host's time between programs"};
  return kNames[static_cast<int>(kind)];
}

double ProfileAnalysis::ShareOf(StepPartKind kind) const {
  for (const StepPartTime& part : parts) {
    if (part.kind == kind) return part.share;
  }
  return 0;
}

Seconds ProfileAnalysis::TimeOf(StepPartKind kind) const {
  for (const StepPartTime& part : parts) {
    if (part.kind == kind) return part.time;
  }
  return {};
}

ProfileAnalysis Analyse(const Profile& profile, const PeakRates& peaks) {
  ProfileAnalysis analysis;
  analysis.notes = profile.notes;
  analysis.peak_flops = peaks.flops;
  analysis.peak_hbm = peaks.hbm;
  ProfileTotals totals;
  if (profile.event_count() > 0) {
    analysis.steps = FindSteps(profile);
    totals = TotalsOf(profile, analysis.steps.windows);
    analysis.devices = static_cast<int64_t>(totals.devices.size());
    analysis.has_devices = analysis.devices > 0;
    SetParts(profile, totals, analysis);
    CountIdleAsNetwork(analysis);
    if (!analysis.has_devices && analysis.steps.source != kWholeProfile) {
      SetHostParts(totals, analysis);
    }
    SetRates(profile, totals, analysis);
    SetTables(profile, totals, analysis);
    CheckRates(analysis);
    if (!analysis.has_devices) {
      analysis.notes.emplace_back(
          "The profile has no events of a device: only the host's side is known.");
    }
  }
  AddStated(profile, analysis);
  SetHardware(profile, analysis);
  AddWaits(profile, totals, analysis);
  AddVerdict(profile, totals, analysis);
  AddAdvice(profile, totals, analysis);
  return analysis;
}

}  // namespace tilewise
