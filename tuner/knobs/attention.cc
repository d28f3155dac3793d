// Attention as the program has it, or in one kernel that keeps no scores.

#include <fmt/format.h>

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> AttentionSettings(const SearchSetting& base,
                                                             std::span<const std::string> values) {
  bool own = values.empty(), flash = values.empty();
  for (const std::string& value : values) {
    if (value != "own" && value != "flash") {
      return InvalidInput(
          fmt::format("--search attention: found '{}', expected own or flash", value));
    }
    (value == "own" ? own : flash) = true;
  }
  std::optional<SearchSetting> changed;
  if (flash) changed = WithFlashAttention(base);
  std::vector<SearchSetting> settings;
  if (own || !changed) settings.push_back(base);
  if (changed) settings.push_back(*std::move(changed));
  return settings;
}

}  // namespace

Knob AttentionKnob() {
  return {.name = "attention",
          .values = "own, flash",
          .needs = "attention of two matmuls with a softmax between them",
          .settings = AttentionSettings};
}

}  // namespace tilewise
