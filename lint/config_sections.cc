// Kinds are checked here, meanings (a chip that exists) by who knows them.
// Each section is a map or a list of maps whose members are all known.

#include "lint/config_sections.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "lint/config_keys.h"
#include "lint/glob.h"

namespace tilewise {
namespace {

constexpr size_t kLongestWord = 1000;

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

bool IsNumber(const std::string& text) {
  const size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.size() < 19 &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(),
                     [](unsigned char c) { return c < 128 && std::isdigit(c) != 0; });
}

absl::Status Unexpected(const YamlValue& value, std::string_view expected) {
  return ErrorAt(value.from, fmt::format("found {}, expected {}", DescribeYaml(value), expected));
}

std::string_view Expected(KeyKind kind) {
  switch (kind) {
    case KeyKind::kNumber:
      return "a whole number";
    case KeyKind::kFlag:
      return "true or false";
    case KeyKind::kWords:
      return "a word or a list of words";
    case KeyKind::kGlobs:
      return "a glob or a list of globs";
    case KeyKind::kAssignments:
      return "a map of names and values";
    case KeyKind::kPath:
      return "a path";
    case KeyKind::kPaths:
      return "a path or a list of paths";
    case KeyKind::kMachine:
    case KeyKind::kWord:
    case KeyKind::kSection:
      return "a word";
  }
  return "";
}

struct Exclusive {
  std::string_view one;
  std::string_view other;
};
constexpr std::array kExclusive = {
    Exclusive{"batch", "batch-per-core"}, Exclusive{"batch", "batch-per-device"},
    Exclusive{"batch-per-core", "batch-per-device"}, Exclusive{"train", "infer"}};

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

// "NAME=VALUE" of each member; a member may have several values.
absl::StatusOr<std::vector<std::string>> ReadAssignments(const YamlValue& map,
                                                         std::string_view what) {
  std::vector<std::string> words;
  for (const YamlMember& member : map.members) {
    TW_ASSIGN_OR_RETURN(const std::vector<std::string> values, ReadWords(member.value, what));
    for (const std::string& value : values) words.push_back(member.key + "=" + value);
  }
  return words;
}

// The items of a list; one map is a list of itself. Each is compared with each
// linted file.
absl::StatusOr<std::vector<const YamlValue*>> ItemsOf(const YamlValue& value) {
  constexpr size_t kMostInSection = 1000;
  std::vector<const YamlValue*> items;
  if (value.kind == YamlValue::Kind::kNull) return items;
  if (value.kind != YamlValue::Kind::kList) return std::vector<const YamlValue*>{&value};
  if (value.items.size() > kMostInSection) {
    return ErrorAt(value.from, fmt::format("found {} entries, expected at most {}",
                                           value.items.size(), kMostInSection));
  }
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

std::string PathIn(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path absolute = (fs::path(folder) / path).lexically_normal();
  const fs::path here = fs::current_path(error);
  if (error) return absolute.string();
  const fs::path relative = absolute.lexically_relative(here);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : absolute.string();
}

absl::StatusOr<std::string> ReadWord(const YamlValue& value, std::string_view what) {
  if (value.kind != YamlValue::Kind::kScalar || value.scalar.empty()) {
    return Unexpected(value, what);
  }
  if (value.scalar.size() > kLongestWord) {
    return ErrorAt(value.from, fmt::format("found {} characters, expected {} of at most {}",
                                           value.scalar.size(), what, kLongestWord));
  }
  return value.scalar;
}

absl::StatusOr<std::vector<std::string>> ReadWords(const YamlValue& value, std::string_view what) {
  std::vector<std::string> words;
  if (value.kind == YamlValue::Kind::kScalar) {
    TW_ASSIGN_OR_RETURN(std::string word, ReadWord(value, what));
    words.push_back(std::move(word));
    return words;
  }
  if (value.kind != YamlValue::Kind::kList) return Unexpected(value, what);
  words.reserve(value.items.size());
  for (const YamlValue& item : value.items) {
    TW_ASSIGN_OR_RETURN(std::string word, ReadWord(item, what));
    words.push_back(std::move(word));
  }
  return words;
}

absl::StatusOr<bool> ReadFlag(const YamlValue& value) {
  const std::string word = Lower(value.scalar);
  for (const char* yes : {"true", "yes", "on"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "no", "off"}) {
    if (word == no) return false;
  }
  return Unexpected(value, Expected(KeyKind::kFlag));
}

absl::StatusOr<ConfigSetting> ReadSetting(const ConfigKey& key, const YamlValue& value,
                                          const std::string& folder) {
  const auto read = [&]() -> absl::StatusOr<ConfigSetting> {
    ConfigSetting setting{.words = {}, .from = value.from};
    if (key.kind == KeyKind::kAssignments && value.kind == YamlValue::Kind::kMap) {
      TW_ASSIGN_OR_RETURN(setting.words, ReadAssignments(value, Expected(key.kind)));
    } else if (IsListKind(key.kind)) {
      TW_ASSIGN_OR_RETURN(setting.words, ReadWords(value, Expected(key.kind)));
    } else if (key.kind == KeyKind::kFlag) {
      TW_ASSIGN_OR_RETURN(const bool flag, ReadFlag(value));
      setting.words = {flag ? "true" : "false"};
    } else {
      TW_ASSIGN_OR_RETURN(const std::string word, ReadWord(value, Expected(key.kind)));
      if (key.kind == KeyKind::kNumber && !IsNumber(word)) {
        return Unexpected(value, Expected(key.kind));
      }
      const bool path =
          key.kind == KeyKind::kPath || (key.kind == KeyKind::kMachine && word.ends_with(".txtpb"));
      setting.words = {path ? PathIn(folder, word) : word};
    }
    return setting;
  };
  absl::StatusOr<ConfigSetting> setting = read();
  if (!setting.ok()) return setting;
  for (std::string& word : setting->words) {
    if (key.kind == KeyKind::kGlobs) word = GlobBelow(folder, word);
    if (key.kind == KeyKind::kPaths) word = PathIn(folder, word);
  }
  return setting;
}

const YamlValue* FindMember(const YamlValue& map, std::string_view key) {
  for (const YamlMember& member : map.members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

absl::Status CheckMembers(const YamlValue& map, std::string_view of,
                          const std::vector<std::string>& known) {
  if (map.kind != YamlValue::Kind::kMap) return Unexpected(map, of);
  for (const YamlMember& member : map.members) {
    if (std::ranges::find(known, member.key) != known.end()) continue;
    std::string names;
    for (const std::string& name : known) {
      names += (names.empty() ? "" : ", ") + name;
    }
    return ErrorAt(member.from,
                   fmt::format("found key '{}' in {}, expected one of {}{}",
                               member.key.substr(0, 64), of, names, DidYouMean(member.key, known)));
  }
  return absl::OkStatus();
}

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
  for (const auto& [key, list] : kRuleLists) {
    const YamlValue* value = FindMember(map, key);
    if (value == nullptr) continue;
    TW_ASSIGN_OR_RETURN(lines.*list, ReadSetting(*FindConfigKey(key), *value, ""));
  }
  if (const YamlValue* preview = FindMember(map, "preview")) {
    TW_ASSIGN_OR_RETURN(lines.preview, ReadFlag(*preview));
  }
  if (const YamlValue* severity = FindMember(map, "severity")) {
    TW_ASSIGN_OR_RETURN(lines.severity, ReadLines(*severity, "RULE: info, warning, error or off"));
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
  TW_ASSIGN_OR_RETURN(const std::vector<const YamlValue*> items, ItemsOf(value));
  for (const YamlValue* map : items) {
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
  TW_ASSIGN_OR_RETURN(const std::vector<const YamlValue*> items, ItemsOf(value));
  for (const YamlValue* map : items) {
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
  TW_ASSIGN_OR_RETURN(const std::vector<const YamlValue*> items, ItemsOf(value));
  for (const YamlValue* map : items) {
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
