// What the backward pass keeps of the forward pass.

#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> RematSettings(const SearchSetting& base,
                                                         std::span<const std::string> values) {
  std::vector<Remat> policies;
  for (const std::string& value : values) {
    TW_ASSIGN_OR_RETURN(const RematPolicy policy, ParseRematPolicy(value));
    policies.push_back(policy.base);
  }
  const TrainingSpec& spec = *base.options.spec;
  std::vector<SearchSetting> settings;
  if (values.empty()) {
    settings.push_back(base);
    policies = {Remat::kNone, Remat::kDots, Remat::kFull};
  }
  if (!base.options.training) return std::vector<SearchSetting>{base};
  for (const Remat policy : policies) {
    const bool own = policy == spec.remat && spec.remat_tensors.empty();
    if (!own) settings.push_back(WithRemat(base, policy));
    if (own && !values.empty()) settings.push_back(base);
  }
  return settings;
}

}  // namespace

Knob RematKnob() {
  return {.name = "remat", .values = "none, dots, full", .settings = RematSettings};
}

}  // namespace tilewise
