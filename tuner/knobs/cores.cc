// More or fewer cores: copies of the model, or parts where it is in parts.

#include <fmt/format.h>

#include "tuner/knob.h"

namespace tilewise {
namespace {

// What holds a copy of the model stays as it is; the copies become more.
Mesh OnCores(const Target& target, int64_t cores) {
  Mesh mesh = target.mesh;
  if (target.extent(MeshAxis::kData) == 1 && mesh.fsdp > 1) {
    mesh.fsdp = 0;
    const int64_t others = mesh.expert * mesh.context * mesh.tensor;
    mesh.fsdp = cores / others;
  }
  mesh.data = 0;
  return mesh;
}

absl::StatusOr<std::vector<SearchSetting>> CoresSettings(const SearchSetting& base,
                                                         std::span<const std::string> values) {
  std::vector<int64_t> counts;
  for (const std::string& value : values) {
    TW_ASSIGN_OR_RETURN(const int64_t cores, ParseKnobNumber("cores", value));
    counts.push_back(cores);
  }
  constexpr int64_t kMostTimes = 8;
  for (int64_t times = 1; values.empty() && times <= kMostTimes; times *= 2) {
    counts.push_back(base.target.slice_cores() * times);
  }
  const bool on_one = base.target.idle_cores > 0;
  if (on_one && values.empty()) counts.insert(counts.begin(), base.target.cores);
  std::vector<SearchSetting> settings;
  for (const int64_t cores : counts) {
    if (cores == base.target.cores) {
      settings.push_back(base);
      continue;
    }
    absl::StatusOr<SearchSetting> setting =
        WithMachine(base, base.target.chip.name, cores, OnCores(base.target, cores));
    if (!setting.ok()) continue;  // no slice of that size
    // A program that trains on one core uses more only where it is told to share its batch.
    setting->changes.push_back(on_one ? fmt::format("--cores {0} --mesh data={0}", cores)
                                      : fmt::format("--cores {}", cores));
    settings.push_back(*std::move(setting));
  }
  return settings;
}

}  // namespace

Knob CoresKnob() {
  return {.name = "cores",
          .values = "numbers of cores",
          .needs = "a slice of that size that is sold",
          .chooses_machine = true,
          .settings = CoresSettings};
}

}  // namespace tilewise
