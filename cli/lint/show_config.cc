// One line per key, in the order of the table of keys; what nothing sets stands
// with its default, or as a comment where the files decide.

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/lint/options.h"
#include "cli/output.h"
#include "frontend/python/project_pins.h"
#include "lint/config_keys.h"
#include "lint/config_rules.h"
#include "lint/glob.h"
#include "rules/suppression_rules.h"

namespace tilewise {
namespace {

// A scalar that YAML reads as the same text.
std::string Scalar(const std::string& word) {
  const bool plain = !word.empty() &&
                     word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-") ==
                         std::string::npos &&
                     word.front() != '-';
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string Listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + Scalar(word);
  }
  return "[" + text + "]";
}

// "key: value  # from" at the column where comments are easy to read.
std::string KeyLine(std::string_view key, const std::string& value, std::string_view from) {
  return fmt::format("{:<34}  # {}\n", fmt::format("{}: {}", key, value), from);
}

std::string ValueOf(const ConfigKey& key, const std::vector<std::string>& words) {
  if (IsListKind(key.kind)) return Listed(words);
  return words.empty() ? "''" : Scalar(words.front());
}

// What the command decides when nothing else does.
std::string StandardOf(const ConfigKey& key, const LintOptions& options) {
  if (key.name == "chip") return options.model.target.chip;
  if (key.name == "fail-on") {
    return options.rules.fail_on ? std::string(SeverityName(*options.rules.fail_on)) : "never";
  }
  return std::string(key.standard);
}

std::string SettingLine(const ConfigKey& key, const LintOptions& options) {
  const auto origin = options.model.config.origins.find(key.flag);
  if (origin != options.model.config.origins.end()) {
    return KeyLine(key.name, ValueOf(key, origin->second.words), origin->second.from);
  }
  const std::string standard = StandardOf(key, options);
  if (standard.empty()) {
    return fmt::format("# {}: not set: {}\n", key.name, key.summary);
  }
  return KeyLine(key.name, Scalar(standard), "default");
}

// What files say of `key`, and over it what flags and variables say.
std::string RuleListLine(std::string_view key, const std::optional<ConfigSetting>& from_file,
                         const LintOptions& options) {
  const auto origin = options.model.config.origins.find(key);
  if (origin != options.model.config.origins.end()) {
    return KeyLine(key, Listed(origin->second.words), origin->second.from);
  }
  if (!from_file) return fmt::format("# {}: not set\n", key);
  return KeyLine(key, Listed(from_file->words), FormatLocation(from_file->from));
}

// Later lines win: only the last one of each key stands there.
std::string MapLines(std::string_view key, const std::vector<RuleLine>& lines,
                     std::string_view flag, const LintOptions& options) {
  struct Entry {
    std::string value;
    std::string from;
  };
  std::map<std::string, Entry> entries;
  for (const RuleLine& line : lines) {
    entries[line.key] = {line.value, FormatLocation(line.from)};
  }
  const auto origin = options.model.config.origins.find(flag);
  if (origin != options.model.config.origins.end()) {
    for (const std::string& word : origin->second.words) {
      const size_t equals = std::min(word.find('='), word.size() - 1);
      entries[word.substr(0, equals)] = {word.substr(equals + 1), origin->second.from};
    }
  }
  if (entries.empty()) return fmt::format("# {}: not set\n", key);
  std::string text = fmt::format("{}:\n", key);
  for (const auto& [rule, entry] : entries) {
    text += "  " + KeyLine(rule, Scalar(entry.value), entry.from);
  }
  return text;
}

std::string RuleLinesText(const LintOptions& options) {
  const RuleLines& rules = options.config().rules;
  std::string text;
  for (const auto& [key, list] : kRuleLists) text += RuleListLine(key, rules.*list, options);
  const auto preview = options.model.config.origins.find("preview");
  if (preview != options.model.config.origins.end()) {
    text += KeyLine("preview", preview->second.words.front(), preview->second.from);
  } else {
    text += KeyLine("preview", rules.preview.value_or(false) ? "true" : "false",
                    rules.preview ? options.config().file : "default");
  }
  text += MapLines("severity", rules.severity, "severity", options);
  return text + MapLines("thresholds", rules.thresholds, "threshold", options);
}

void AddMember(std::string_view key, const std::string& value, std::string& text) {
  text += fmt::format("    {}: {}\n", key, value);
}

void AddMap(std::string_view key, const std::vector<RuleLine>& lines, std::string& text) {
  std::string members;
  for (const RuleLine& line : lines) {
    members +=
        fmt::format("{}{}: {}", members.empty() ? "" : ", ", Scalar(line.key), Scalar(line.value));
  }
  if (!members.empty()) AddMember(key, "{" + members + "}", text);
}

std::string PerPathText(const LintConfig& config) {
  if (config.per_path.empty()) return "# per-path: not set\n";
  std::string text = "per-path:\n";
  for (const PathRules& entry : config.per_path) {
    std::vector<std::string> globs;
    globs.reserve(entry.paths.size());
    for (const std::string& glob : entry.paths) {
      globs.push_back(GlobBelow(entry.base, glob));
    }
    text += "  - " + KeyLine("paths", Listed(globs), FormatLocation(entry.from));
    const RuleLines& rules = entry.rules;
    for (const auto& [key, list] : kRuleLists) {
      if (rules.*list) AddMember(key, Listed((rules.*list)->words), text);
    }
    if (rules.preview) {
      AddMember("preview", *rules.preview ? "true" : "false", text);
    }
    AddMap("severity", rules.severity, text);
    AddMap("thresholds", rules.thresholds, text);
  }
  return text;
}

std::string SuppressText(const LintConfig& config) {
  if (config.suppress.empty()) return "# suppress: not set\n";
  std::string text = "suppress:\n";
  for (const ConfigSuppression& entry : config.suppress) {
    text += "  - " + KeyLine("rule", Scalar(entry.rule), FormatLocation(entry.from));
    if (!entry.path.empty()) {
      AddMember("path", Scalar(GlobBelow(entry.base, entry.path)), text);
    }
    if (!entry.node.empty()) AddMember("node", Scalar(entry.node), text);
    if (!entry.reason.empty()) AddMember("reason", Scalar(entry.reason), text);
  }
  return text;
}

std::string WorkloadsText(const LintConfig& config) {
  if (config.workloads.empty()) return "# workloads: not set\n";
  std::string text = "workloads:\n";
  for (const DeclaredWorkload& workload : config.workloads) {
    text += "  - " + KeyLine("name", Scalar(workload.name), FormatLocation(workload.from));
    AddMember("files", Listed(workload.files), text);
    for (const auto& [key, setting] : workload.settings) {
      AddMember(key, ValueOf(*FindConfigKey(key), setting.words), text);
    }
  }
  return text;
}

// Releases that the project of a script asks for.
std::string PinsText(const std::string& file) {
  std::string text;
  if (!file.ends_with(".py") && !file.ends_with(".ipynb")) return text;
  for (const PackageVersion& pin : python::ProjectPins(file)) {
    const std::string minor = pin.minor < 0 ? "" : fmt::format(".{}", pin.minor);
    text += fmt::format("# runs with {} {} {}{}  # {}\n", pin.package, pin.relation, pin.major,
                        minor, FormatLocation(pin.location));
  }
  return text;
}

// The rules that come of all this, for the file.
absl::StatusOr<std::string> EnabledRules(const LintOptions& options, const std::string& file) {
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesFor(options.config(), options.rules.overrides, file));
  std::string ids;
  int count = 0;
  const std::vector<const Rule*> rules_listed = ListedRules();
  for (const Rule* rule : rules_listed) {
    if (!Selects(rules.selection, rule->info.id)) continue;
    ids += count++ % 10 == 0 ? "\n#   " : " ";
    ids += rule->info.id;
  }
  return fmt::format("# {} of {} rules run{}\n", count, rules_listed.size(), ids);
}

// YAML for the first file of `options`.
absl::StatusOr<std::string> ConfigText(const LintOptions& options) {
  const std::string file = options.files().empty() ? "" : options.files().front();
  const LintConfig& config = options.config();
  std::string text =
      fmt::format("# Settings for {}, from {}.\n", file.empty() ? "this folder" : file,
                  config.file.empty() ? "no configuration" : config.file);
  for (const ConfigKey& key : ConfigKeys()) {
    if (key.name == "select") text += RuleLinesText(options);
    if (key.name == "per-path") text += PerPathText(config);
    if (key.name == "suppress") text += SuppressText(config);
    if (key.name == "workloads") text += WorkloadsText(config);
    if (key.kind == KeyKind::kSection || IsRuleKey(key)) continue;
    text += SettingLine(key, options);
  }
  TW_ASSIGN_OR_RETURN(const std::string rules, EnabledRules(options, file));
  return text + PinsText(file) + rules;
}

}  // namespace

absl::StatusOr<int> ShowConfig(const LintOptions& options) {
  TW_ASSIGN_OR_RETURN(const std::string text, ConfigText(options));
  TW_RETURN_IF_ERROR(WriteOutput(PrintableLines(text), options.output.path));
  return kExitClean;
}

}  // namespace tilewise
