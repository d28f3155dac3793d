// The value of one key of a configuration, checked against the key's kind.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "lint/config.h"
#include "lint/config_keys.h"
#include "lint/config_yaml.h"

namespace tilewise {

// Errors say what was found and what the kind expects, with the place.
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
// Null when it has none of that name.
const YamlValue* FindMember(const YamlValue& map, std::string_view key);

// `path` as seen from the working directory where it lies below it, else
// absolute; relative ones start from `folder`.
std::string PathIn(const std::string& folder, const std::string& path);

}  // namespace tilewise
