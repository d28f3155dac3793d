// Constants are ratios of measured to simulated times, of the ops that each of them
// bounds.

#include "cli/profile/machine.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "cli/output.h"

namespace tilewise {
namespace {

constexpr double kLeastShare = 0.05;  // of the step: less says nothing of the machine

// Ops whose time one constant sets.
struct ConstantGroup {
  ProfileOpClass op_class;  // kHostTransfer, or kCompute for all others
  Bound bound;
  const char* field;
  double value, most;
  Seconds measured = {}, simulated = {};
  int64_t ops = 0;

  bool Has(const ComparedOp& op) const {
    const bool copies = op.op_class == ProfileOpClass::kHostTransfer;
    return op_class == ProfileOpClass::kHostTransfer ? copies : !copies && op.bound == bound;
  }
};

std::array<ConstantGroup, 3> GroupsOf(const ProfileComparison& comparison, const Chip& chip) {
  std::array groups = {ConstantGroup{ProfileOpClass::kCompute, Bound::kMatrix, "matmul_efficiency",
                                     chip.matmul_efficiency, 1},
                       ConstantGroup{ProfileOpClass::kCompute, Bound::kMemory, "hbm_efficiency",
                                     chip.hbm_efficiency, 1},
                       ConstantGroup{ProfileOpClass::kHostTransfer, Bound::kOverhead,
                                     "host_link_gb_per_s", chip.host_link.value * 1e-9, 1000}};
  for (const ComparedOp& op : comparison.ops) {
    if (!op.matched()) continue;
    for (ConstantGroup& group : groups) {
      if (!group.Has(op)) continue;
      group.measured += op.measured;
      group.simulated += op.simulated;
      ++group.ops;
    }
  }
  return groups;
}

std::string ChipNameOf(const Profile& profile, const TargetOptions& target) {
  if (target.chip_given) return target.chip;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.hardware == Hardware::kTpu && !plane.device_type.empty()) return plane.device_type;
  }
  return "";
}

// Where the host waits for the device in each step, it works only after it.
bool WaitsForEachStep(const ProfileAnalysis& analysis) {
  Seconds waits;
  for (const HostRow& row : analysis.host) {
    if (row.kind == HostClass::kWaitsForDevice) waits += row.self;
  }
  const auto steps = static_cast<double>(std::max<int64_t>(analysis.steps.wall.count, 1));
  constexpr double kMuch = 0.1;  // of the wall step
  return waits / steps > analysis.steps.wall.mean * kMuch;
}

}  // namespace

std::vector<ChangedConstant> ConstantsOf(const ProfileComparison& comparison, const Chip& chip) {
  std::vector<ChangedConstant> changes;
  for (const ConstantGroup& group : GroupsOf(comparison, chip)) {
    if (group.ops == 0 || group.measured < comparison.measured_step * kLeastShare) continue;
    const double value =
        std::clamp(group.value * (group.simulated / group.measured), 0.05, group.most);
    changes.push_back(
        {.field = group.field,
         .value = value,
         .source = fmt::format("a profile of {}: {} ops took {} where {} were simulated",
                               comparison.program, group.ops, FormatSeconds(group.measured),
                               FormatSeconds(group.simulated))});
  }
  return changes;
}

std::optional<ErrorRange> RangeOf(const ProfileComparison& comparison,
                                  std::span<const ChangedConstant> changes, const Chip& chip) {
  const auto groups = GroupsOf(comparison, chip);
  std::vector<std::pair<double, double>> ratios;  // with the time that they stand for
  double all = 0;
  for (const ComparedOp& op : comparison.ops) {
    if (!op.matched()) continue;
    double ratio = op.measured / op.simulated;
    for (const ConstantGroup& group : groups) {
      const auto changed = std::ranges::find(changes, group.field, &ChangedConstant::field);
      if (changed != changes.end() && group.Has(op)) ratio *= changed->value / group.value;
    }
    ratios.emplace_back(ratio, op.measured.value);
    all += op.measured.value;
  }
  constexpr size_t kFewOps = 5;
  if (ratios.size() < kFewOps || all < comparison.measured_step.value / 2) return std::nullopt;
  std::ranges::sort(ratios);
  const auto quantile = [&](double share) {
    double below = 0;
    for (const auto& [ratio, time] : ratios) {
      below += time;
      if (below >= share * all) return std::clamp(ratio, 0.01, 100.0);
    }
    return std::clamp(ratios.back().first, 0.01, 100.0);
  };
  return ErrorRange{.low = std::min(quantile(ErrorRange::kOutside), 1.0),
                    .high = std::max(quantile(1 - ErrorRange::kOutside), 1.0),
                    .lower_third = std::min(quantile(ErrorRange::kThird), 1.0),
                    .upper_third = std::max(quantile(1 - ErrorRange::kThird), 1.0),
                    .rows = static_cast<int64_t>(ratios.size()),
                    .of_this_machine = true};
}

std::vector<ChangedConstant> HostConstantsOf(const ProfileComparison& comparison,
                                             const ProfileAnalysis& analysis, const Host& host) {
  const Seconds wall = comparison.measured_wall;
  const Seconds gap = comparison.measured_gap;
  if (gap < wall * kLeastShare || analysis.steps.wall.count < 2) return {};
  const std::string source =
      fmt::format("a profile of {}: the device waits {} of a step of {} for the host",
                  comparison.program, FormatSeconds(gap), FormatSeconds(wall));
  const HostRuntime& runtime = host.runtime(comparison.framework);
  if (!runtime.exposed_share) {
    const Seconds each = std::max(gap - runtime.per_step, Seconds{});
    return {{.field = "per_execution_ms", .value = each.value * 1e3, .source = source}};
  }
  // Ahead of the device the host is what a step takes; else its work comes on top.
  const bool waits = WaitsForEachStep(analysis);
  const Seconds each = waits ? gap : wall;
  return {{.field = "per_step_ms", .value = each.value * 1e3, .source = source},
          {.field = "exposed_share",
           .value = waits ? 1.0 : 0.0,
           .source = waits ? "the profile: the host waits for the end of each step"
                           : "the profile: the host does not wait for the device"}};
}

absl::Status WriteMachine(const std::optional<ProfileComparison>& comparison,
                          const Profile& profile, const ProfileAnalysis& analysis,
                          const TargetOptions& target, const std::string& path) {
  if (!path.ends_with(".txtpb")) {
    return InvalidInput(
        fmt::format("--calibrate: found '{}', expected a name that ends in .txtpb, as --chip "
                    "takes it",
                    path.substr(0, 200)));
  }
  const std::string name = ChipNameOf(profile, target);
  if (!comparison || comparison->simulated_step <= Seconds{} || name.empty()) {
    return InvalidInput(
        "--calibrate: found nothing that was both measured on a TPU and simulated, expected a "
        "program, or a profile that holds its HLO, and --chip where the profile names none");
  }
  TW_ASSIGN_OR_RETURN(const Chip chip, FindChip(name));
  const std::string host_name = target.host.empty() ? comparison->host : target.host;
  TW_ASSIGN_OR_RETURN(const Host host, FindHost(host_name));
  const std::vector<ChangedConstant> changes = ConstantsOf(*comparison, chip);
  const std::vector<ChangedConstant> of_host = HostConstantsOf(*comparison, analysis, host);
  if (changes.empty() && of_host.empty()) {
    return InvalidInput(
        "--calibrate: the profile determines no constant of the machine: no matched ops that the "
        "MXU, HBM or the host's link bounds take 5 % of the step, nor does the host");
  }
  MeasuredMachine machine{.range = RangeOf(*comparison, changes, chip),
                          .source = fmt::format("a profile of {}", comparison->program)};
  if (!of_host.empty()) {
    const std::filesystem::path file(path);
    const std::filesystem::path beside =
        file.parent_path() / (file.stem().string() + "-host.txtpb");
    TW_ASSIGN_OR_RETURN(
        const std::string text,
        HostOverlayText(host_name, host.runtime(comparison->framework).framework, of_host));
    TW_RETURN_IF_ERROR(WriteOutput(text, beside.string()));
    (comparison->hosts > 1 ? machine.slice_host : machine.host) = beside.filename().string();
  }
  TW_ASSIGN_OR_RETURN(const std::string text,
                      OverlayText(target.chip_given ? target.chip : chip.name, changes, machine));
  return WriteOutput(text, path);
}

}  // namespace tilewise
