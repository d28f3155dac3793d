// What the backward pass keeps of the forward pass.

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> RematSettings(const SearchSetting& base,
                                                         std::span<const std::string> values) {
  if (!base.options.training) return std::vector<SearchSetting>{base};
  std::vector<std::string> names(values.begin(), values.end());
  std::vector<SearchSetting> settings;
  if (values.empty()) {
    settings.push_back(base);
    names = {"none", "dots", "full"};
  }
  const RematPolicy own = base.options.spec->remat_policy();
  for (const std::string& name : names) {
    TW_ASSIGN_OR_RETURN(const RematPolicy policy, ParseRematPolicy(name));
    const bool is_own = policy == own;
    if (!is_own) settings.push_back(WithRemat(base, name, policy));
    if (is_own && !values.empty()) settings.push_back(base);
  }
  return settings;
}

}  // namespace

Knob RematKnob() {
  return {.name = "remat",
          .values = "none, dots, full, or a policy of --remat",
          .needs = "a model that is trained",
          .settings = RematSettings};
}

}  // namespace tilewise
