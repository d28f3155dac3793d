// The parts of a configuration that are more than a word or a list: what is
// said of rules, per-path, suppress, workloads.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "lint/config.h"
#include "lint/config_yaml.h"

namespace tilewise {

// Reads the rule keys of `map`, at the top of the file or in an entry of
// per-path; other keys are left alone.
absl::StatusOr<RuleLines> ReadRuleLines(const YamlValue& map);

// Each reads the value of the key of its name. `folder`: what globs and files
// start from.
absl::StatusOr<std::vector<PathRules>> ReadPerPath(const YamlValue& value,
                                                   const std::string& folder);
absl::StatusOr<std::vector<ConfigSuppression>> ReadSuppressions(const YamlValue& value,
                                                                const std::string& folder);
absl::StatusOr<std::vector<DeclaredWorkload>> ReadWorkloads(const YamlValue& value,
                                                            const std::string& folder);

// Errors: two keys of which one excludes the other (batch, batch-per-core).
absl::Status CheckExclusive(const Settings& settings);
// What `nearer` says replaces what `settings` says, and what it excludes.
void Override(const Settings& nearer, Settings& settings);

}  // namespace tilewise
