// Other generations of chips, as many cores as it has now, or its smallest slice
// where that number does not fill its chips.

#include <fmt/format.h>

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> ChipSettings(const SearchSetting& base,
                                                        std::span<const std::string> values) {
  std::vector<std::string> names(values.begin(), values.end());
  if (names.empty() || (names.size() == 1 && names.front() == "all")) names = ChipNames();
  std::vector<SearchSetting> settings;
  for (const std::string& name : names) {
    TW_RETURN_IF_ERROR(MakeTarget(name, 0, "").status());
    if (name == base.target.chip.name) {
      settings.push_back(base);
      continue;
    }
    absl::StatusOr<SearchSetting> setting =
        WithMachine(base, name, base.target.cores, base.target.mesh);
    if (!setting.ok()) setting = WithMachine(base, name, 0, {});
    if (!setting.ok()) continue;
    setting->changes.push_back(fmt::format("--chip {}", name));
    settings.push_back(*std::move(setting));
  }
  return settings;
}

}  // namespace

Knob ChipKnob() {
  return {.name = "chip",
          .values = "names of chips, or all",
          .needs = "a slice of that chip that is sold",
          .chooses_machine = true,
          .settings = ChipSettings};
}

}  // namespace tilewise
