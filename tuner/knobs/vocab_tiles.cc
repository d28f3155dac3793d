// The logits of a vocabulary in parts of the positions.

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> VocabTilesSettings(const SearchSetting& base,
                                                              std::span<const std::string> values) {
  std::vector<int64_t> counts;
  for (const std::string& value : values) {
    TW_ASSIGN_OR_RETURN(const int64_t tiles, ParseKnobNumber("vocab-tiles", value));
    counts.push_back(tiles);
  }
  if (values.empty()) counts = {1, 8};
  std::vector<SearchSetting> settings;
  for (const int64_t tiles : counts) {
    if (tiles == 1 || !base.options.training) {
      if (settings.empty()) settings.push_back(base);
      continue;
    }
    std::optional<SearchSetting> changed = WithTiledLogits(base, tiles);
    if (changed) settings.push_back(*std::move(changed));
  }
  if (settings.empty()) settings.push_back(base);
  return settings;
}

}  // namespace

Knob VocabTilesKnob() {
  return {.name = "vocab-tiles",
          .values = "numbers of parts",
          .needs = "a model that is trained, with logits over a vocabulary",
          .settings = VocabTilesSettings};
}

}  // namespace tilewise
