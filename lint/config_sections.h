// The values of a configuration's keys: words and lists, checked against the
// key's kind, and what is more than these (rules, per-path, suppress,
// workloads).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "lint/config.h"
#include "lint/config_keys.h"
#include "lint/config_yaml.h"

namespace tilewise {

// Errors say what was found and what the kind expects, with the location.
// `folder` (absolute): what relative paths and globs start from.
absl::StatusOr<ConfigSetting> ReadSetting(const ConfigKey& key, const YamlValue& value,
                                          const std::string& folder);

// One text, or a list of them. `what`: "a glob or a list of globs".
absl::StatusOr<std::vector<std::string>> ReadWords(const YamlValue& value, std::string_view what);
absl::StatusOr<std::string> ReadWord(const YamlValue& value, std::string_view what);
absl::StatusOr<bool> ReadFlag(const YamlValue& value);

// The map's members may have these names only. `of`: "an entry of per-path".
absl::Status CheckMembers(const YamlValue& map, std::string_view of,
                          const std::vector<std::string>& known);
// Returns null when it has none of that name.
const YamlValue* FindMember(const YamlValue& map, std::string_view key);

// `path` as seen from the working directory where it lies below it, else
// absolute; relative ones start from `folder`.
std::string PathIn(const std::string& folder, const std::string& path);

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
