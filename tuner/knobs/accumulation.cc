// In how many parts the gradients of a batch are summed.

#include <algorithm>

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> AccumulationSettings(
    const SearchSetting& base, std::span<const std::string> values) {
  const int64_t own = base.options.spec->accumulation_steps;
  std::vector<int64_t> counts;
  for (const std::string& value : values) {
    TW_ASSIGN_OR_RETURN(const int64_t parts, ParseKnobNumber("accumulation", value));
    counts.push_back(parts);
  }
  if (values.empty()) {
    counts = {own, 1, 2, 4, 8};
    std::sort(counts.begin() + 1, counts.end());
    counts.erase(std::remove(counts.begin() + 1, counts.end(), own), counts.end());
  }
  if (!base.options.training) counts = {own};
  std::vector<SearchSetting> settings;
  settings.reserve(counts.size());
  for (const int64_t parts : counts) {
    settings.push_back(parts == own ? base : WithAccumulation(base, parts));
  }
  return settings;
}

}  // namespace

Knob AccumulationKnob() {
  return {.name = "accumulation",
          .values = "numbers of parts",
          .needs = "a model that is trained",
          .settings = AccumulationSettings};
}

}  // namespace tilewise
