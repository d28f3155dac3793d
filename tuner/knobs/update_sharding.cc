// Optimizer state and update of weights shared out among the copies.

#include <fmt/format.h>

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> UpdateShardingSettings(
    const SearchSetting& base, std::span<const std::string> values) {
  for (const std::string& value : values) {
    if (value == "on" || value == "off") continue;
    return InvalidInput(
        fmt::format("--search update-sharding: found '{}', expected on or off", value));
  }
  const auto asks = [&](std::string_view word) {
    return values.empty() || std::ranges::find(values, word) != values.end();
  };
  const bool has_copies = base.target.extent(MeshAxis::kData) > 1;
  std::vector<SearchSetting> settings;
  if (base.options.shard_update || asks("off")) settings.push_back(base);
  if (!base.options.shard_update && asks("on") && has_copies && base.options.training) {
    settings.push_back(WithShardedUpdate(base));
  }
  return settings;
}

}  // namespace

Knob UpdateShardingKnob() {
  return {.name = "update-sharding",
          .values = "on, off",
          .needs = "a model that is trained, with copies of its weights",
          .settings = UpdateShardingSettings};
}

}  // namespace tilewise
