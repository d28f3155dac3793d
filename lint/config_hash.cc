// Lengths are part of the hash, so that words do not move from list to list.

#include "lint/config_hash.h"

namespace tilewise {
namespace {

void Add(ContentHash& hash, const Location& place) {
  hash.Add(place.file)
      .Add(static_cast<uint64_t>(place.line))
      .Add(static_cast<uint64_t>(place.column));
}

void Add(ContentHash& hash, const std::optional<ConfigSetting>& setting) {
  hash.Add(uint64_t{setting.has_value()});
  if (setting) Add(hash, setting->words);
}

void Add(ContentHash& hash, const RuleLines& rules) {
  Add(hash, rules.select);
  Add(hash, rules.extend_select);
  Add(hash, rules.ignore);
  Add(hash, rules.extend_ignore);
  Add(hash, rules.preview);
  for (const auto* lines : {&rules.severity, &rules.thresholds}) {
    hash.Add(uint64_t{lines->size()});
    for (const RuleLine& line : *lines) hash.Add(line.key).Add(line.value);
  }
}

}  // namespace

void Add(ContentHash& hash, const std::vector<std::string>& words) {
  hash.Add(uint64_t{words.size()});
  for (const std::string& word : words) hash.Add(word);
}

void Add(ContentHash& hash, const std::optional<bool>& flag) {
  hash.Add(flag ? uint64_t{*flag} + 1 : uint64_t{0});
}

void Add(ContentHash& hash, const LintConfig& config) {
  hash.Add(config.root);
  Add(hash, config.rules);
  hash.Add(uint64_t{config.per_path.size()});
  for (const PathRules& entry : config.per_path) {
    Add(hash, entry.paths);
    hash.Add(entry.base);
    Add(hash, entry.rules);
  }
  hash.Add(uint64_t{config.suppress.size()});
  for (const ConfigSuppression& entry : config.suppress) {
    hash.Add(entry.rule).Add(entry.path).Add(entry.base).Add(entry.node);
    hash.Add(entry.reason);
    Add(hash, entry.from);
  }
}

}  // namespace tilewise
