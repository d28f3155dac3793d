// Each section is a map or a list of maps whose members are all known.

#include "lint/config_sections.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "lint/config_keys.h"
#include "lint/config_values.h"

namespace tilewise {
namespace {

struct Exclusive {
  std::string_view one;
  std::string_view other;
};
constexpr std::array kExclusive = {Exclusive{"batch", "batch-per-core"},
                                   Exclusive{"train", "infer"}};

absl::StatusOr<std::vector<RuleLine>> ReadLines(const YamlValue& value, std::string_view what) {
  std::vector<RuleLine> lines;
  if (value.kind != YamlValue::Kind::kMap) {
    return ErrorAt(value.from,
                   fmt::format("found {}, expected a map as {}", DescribeYaml(value), what));
  }
  for (const YamlMember& member : value.members) {
    TW_ASSIGN_OR_RETURN(std::string word, ReadWord(member.value, fmt::format("{}", what)));
    lines.push_back({member.key, std::move(word), member.from});
  }
  return lines;
}

absl::Status ReadRuleList(const YamlValue& map, std::string_view key,
                          std::optional<ConfigSetting>& list) {
  const YamlValue* value = FindMember(map, key);
  if (value == nullptr) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(list, ReadSetting(*FindConfigKey(key), *value, ""));
  return absl::OkStatus();
}

// The items of a list; one map is a list of itself.
std::vector<const YamlValue*> ItemsOf(const YamlValue& value) {
  if (value.kind == YamlValue::Kind::kNull) return {};
  if (value.kind != YamlValue::Kind::kList) return {&value};
  std::vector<const YamlValue*> items;
  items.reserve(value.items.size());
  for (const YamlValue& item : value.items) items.push_back(&item);
  return items;
}

absl::StatusOr<const YamlValue*> Needed(const YamlValue& map, std::string_view key,
                                        std::string_view of) {
  const YamlValue* value = FindMember(map, key);
  if (value != nullptr) return value;
  return ErrorAt(map.from, fmt::format("found {} without '{}', expected one", of, key));
}

absl::StatusOr<std::string> OptionalWord(const YamlValue& map, std::string_view key,
                                         std::string_view what) {
  const YamlValue* value = FindMember(map, key);
  if (value == nullptr) return std::string();
  return ReadWord(*value, what);
}

absl::StatusOr<DeclaredWorkload> ReadWorkload(const YamlValue& map, const std::string& folder) {
  constexpr std::string_view kOf = "an entry of workloads";
  std::vector<std::string> known = {"name", "files"};
  for (const ConfigKey& key : ConfigKeys()) {
    if (IsWorkloadKey(key)) known.emplace_back(key.name);
  }
  TW_RETURN_IF_ERROR(CheckMembers(map, kOf, known));
  DeclaredWorkload workload{.from = map.from};
  TW_ASSIGN_OR_RETURN(workload.name, OptionalWord(map, "name", "a name"));
  TW_ASSIGN_OR_RETURN(const YamlValue* files, Needed(map, "files", kOf));
  TW_ASSIGN_OR_RETURN(workload.files, ReadWords(*files, "a path or a list of paths"));
  if (workload.files.empty()) {
    return ErrorAt(files->from, "found no files, expected at least one");
  }
  if (workload.name.empty()) workload.name = workload.files.front();
  for (std::string& file : workload.files) {
    if (file.starts_with("zoo:")) continue;
    file = (std::filesystem::path(folder) / file).lexically_normal().string();
  }
  for (const YamlMember& member : map.members) {
    const ConfigKey* key = FindConfigKey(member.key);
    if (key == nullptr) continue;
    TW_ASSIGN_OR_RETURN(ConfigSetting setting, ReadSetting(*key, member.value, folder));
    workload.settings[member.key] = std::move(setting);
  }
  TW_RETURN_IF_ERROR(CheckExclusive(workload.settings));
  return workload;
}

}  // namespace

absl::Status CheckExclusive(const Settings& settings) {
  for (const Exclusive& pair : kExclusive) {
    const auto one = settings.find(pair.one);
    const auto other = settings.find(pair.other);
    if (one == settings.end() || other == settings.end()) continue;
    return ErrorAt(other->second.from, fmt::format("found both '{}' and '{}', expected one of them",
                                                   pair.one, pair.other));
  }
  return absl::OkStatus();
}

void Override(const Settings& nearer, Settings& settings) {
  for (const auto& [key, setting] : nearer) {
    for (const Exclusive& pair : kExclusive) {
      if (key == pair.one) settings.erase(std::string(pair.other));
      if (key == pair.other) settings.erase(std::string(pair.one));
    }
    settings[key] = setting;
  }
}

absl::StatusOr<RuleLines> ReadRuleLines(const YamlValue& map) {
  RuleLines lines;
  TW_RETURN_IF_ERROR(ReadRuleList(map, "select", lines.select));
  TW_RETURN_IF_ERROR(ReadRuleList(map, "extend-select", lines.extend_select));
  TW_RETURN_IF_ERROR(ReadRuleList(map, "ignore", lines.ignore));
  TW_RETURN_IF_ERROR(ReadRuleList(map, "extend-ignore", lines.extend_ignore));
  if (const YamlValue* preview = FindMember(map, "preview")) {
    TW_ASSIGN_OR_RETURN(lines.preview, ReadFlag(*preview));
  }
  if (const YamlValue* severity = FindMember(map, "severity")) {
    TW_ASSIGN_OR_RETURN(lines.severity, ReadLines(*severity,
                                                  "RULE: info, warning, error or "
                                                  "off"));
  }
  if (const YamlValue* thresholds = FindMember(map, "thresholds")) {
    TW_ASSIGN_OR_RETURN(lines.thresholds, ReadLines(*thresholds, "RULE.name: number"));
  }
  return lines;
}

absl::StatusOr<std::vector<PathRules>> ReadPerPath(const YamlValue& value,
                                                   const std::string& folder) {
  constexpr std::string_view kOf = "an entry of per-path";
  std::vector<std::string> known = {"paths"};
  for (const ConfigKey& key : ConfigKeys()) {
    if (IsRuleKey(key)) known.emplace_back(key.name);
  }
  std::vector<PathRules> entries;
  for (const YamlValue* map : ItemsOf(value)) {
    TW_RETURN_IF_ERROR(CheckMembers(*map, kOf, known));
    PathRules entry{.base = folder, .from = map->from};
    TW_ASSIGN_OR_RETURN(const YamlValue* paths, Needed(*map, "paths", kOf));
    TW_ASSIGN_OR_RETURN(entry.paths, ReadWords(*paths, "a glob or a list of globs"));
    for (std::string& glob : entry.paths) glob = GlobBelow(folder, glob);
    TW_ASSIGN_OR_RETURN(entry.rules, ReadRuleLines(*map));
    entries.push_back(std::move(entry));
  }
  return entries;
}

absl::StatusOr<std::vector<ConfigSuppression>> ReadSuppressions(const YamlValue& value,
                                                                const std::string& folder) {
  constexpr std::string_view kOf = "an entry of suppress";
  std::vector<ConfigSuppression> entries;
  for (const YamlValue* map : ItemsOf(value)) {
    TW_RETURN_IF_ERROR(CheckMembers(*map, kOf, {"rule", "path", "node", "reason"}));
    ConfigSuppression entry{.base = folder, .from = map->from};
    TW_ASSIGN_OR_RETURN(const YamlValue* rule, Needed(*map, "rule", kOf));
    TW_ASSIGN_OR_RETURN(entry.rule, ReadWord(*rule, "a rule"));
    TW_ASSIGN_OR_RETURN(entry.path, OptionalWord(*map, "path", "a glob"));
    entry.path = GlobBelow(folder, entry.path);
    TW_ASSIGN_OR_RETURN(entry.node, OptionalWord(*map, "node", "a glob"));
    TW_ASSIGN_OR_RETURN(entry.reason, OptionalWord(*map, "reason", "a text"));
    entries.push_back(std::move(entry));
  }
  return entries;
}

absl::StatusOr<std::vector<DeclaredWorkload>> ReadWorkloads(const YamlValue& value,
                                                            const std::string& folder) {
  std::vector<DeclaredWorkload> workloads;
  std::set<std::string> names;
  for (const YamlValue* map : ItemsOf(value)) {
    TW_ASSIGN_OR_RETURN(DeclaredWorkload workload, ReadWorkload(*map, folder));
    if (!names.insert(workload.name).second) {
      return ErrorAt(workload.from, fmt::format("found workload '{}' twice, expected it once",
                                                workload.name.substr(0, 64)));
    }
    workloads.push_back(std::move(workload));
  }
  return workloads;
}

}  // namespace tilewise
