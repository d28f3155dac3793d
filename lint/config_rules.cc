// Layers, each over the one before: the configuration, the entries of per-path
// that mean the file, flags and variables. Within a layer what names a rule
// wins over what names its family, and that over ALL. A layer that selects
// starts anew, as people know it from ruff.

#include "lint/config_rules.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "lint/glob.h"
#include "rules/note_kinds.h"
#include "rules/rule.h"
#include "rules/suppression_rules.h"

namespace tilewise {
namespace {

using Ids = std::set<std::string, std::less<>>;

std::vector<const RuleInfo*> AllInfos() {
  std::vector<const RuleInfo*> infos;
  infos.reserve(AllRules().size() + SuppressionRules().size());
  for (const Rule* rule : AllRules()) infos.push_back(&rule->info);
  for (const Rule* rule : SuppressionRules()) infos.push_back(&rule->info);
  return infos;
}

// A word of a list, with the location to name when it is wrong.
struct Word {
  std::string text;
  std::string from;  // ".tilewise.yaml:3:9", "--select"
};

struct SeverityLine {
  Word rule;
  std::string level;
};

struct Layer {
  bool selects = false;
  std::vector<Word> select;  // with extend-select
  std::vector<Word> ignore;
  std::vector<SeverityLine> severity;
  std::vector<SeverityLine> thresholds;  // level: the number
};

void AddWords(const std::optional<ConfigSetting>& setting, std::vector<Word>& words) {
  if (!setting) return;
  for (const std::string& word : setting->words) {
    words.push_back({word, FormatLocation(setting->from)});
  }
}

void AddWords(const std::vector<std::string>& list, const char* flag, std::vector<Word>& words) {
  for (const std::string& word : list) words.push_back({word, flag});
}

Layer LayerOf(const RuleLines& lines) {
  Layer layer;
  layer.selects = lines.select.has_value();
  AddWords(lines.select, layer.select);
  AddWords(lines.extend_select, layer.select);
  AddWords(lines.ignore, layer.ignore);
  AddWords(lines.extend_ignore, layer.ignore);
  for (const RuleLine& line : lines.severity) {
    layer.severity.push_back({{line.key, FormatLocation(line.from)}, line.value});
  }
  for (const RuleLine& line : lines.thresholds) {
    layer.thresholds.push_back({{line.key, FormatLocation(line.from)}, line.value});
  }
  return layer;
}

// "AL001=error" -> both sides. Errors: no "=".
absl::StatusOr<SeverityLine> Assignment(const std::string& text, const char* flag,
                                        const char* example) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return InvalidInput(
        fmt::format("{}: found '{}', expected {}", flag, text.substr(0, 64), example));
  }
  return SeverityLine{{text.substr(0, equals), flag}, text.substr(equals + 1)};
}

absl::StatusOr<Layer> LayerOf(const RuleOverrides& overrides) {
  Layer layer;
  layer.selects = !overrides.select.empty();
  AddWords(overrides.select, "--select", layer.select);
  AddWords(overrides.extend_select, "--extend-select", layer.select);
  AddWords(overrides.ignore, "--ignore", layer.ignore);
  AddWords(overrides.extend_ignore, "--extend-ignore", layer.ignore);
  for (const std::string& text : overrides.severity) {
    TW_ASSIGN_OR_RETURN(SeverityLine line, Assignment(text, "--severity", "RULE=LEVEL"));
    layer.severity.push_back(std::move(line));
  }
  for (const std::string& text : overrides.thresholds) {
    TW_ASSIGN_OR_RETURN(SeverityLine line, Assignment(text, "--threshold", "RULE.name=NUMBER"));
    layer.thresholds.push_back(std::move(line));
  }
  return layer;
}

enum class Reach { kAll, kFamily, kRule };

// Whether a rule is meant by a family's name; rules of the preview set only
// while they count as the default set.
bool InFamily(const RuleInfo& info, bool preview) {
  return preview || info.set != RuleSet::kPreview;
}

// The rules that a word means. Errors: none.
absl::StatusOr<std::pair<Reach, Ids>> Meaning(const Word& word, bool preview) {
  const auto all_of = [&](auto&& wanted) {
    Ids ids;
    for (const RuleInfo* info : AllInfos()) {
      if (wanted(*info) && InFamily(*info, preview)) ids.emplace(info->id);
    }
    return ids;
  };
  if (word.text == "ALL") {
    return std::pair(Reach::kAll, all_of([](const RuleInfo&) { return true; }));
  }
  if (const Rule* rule = FindRule(word.text)) {
    return std::pair(Reach::kRule, Ids{std::string(rule->info.id)});
  }
  const auto in_family = [&](const RuleInfo& info) { return info.id.substr(0, 2) == word.text; };
  for (const RuleInfo* info : AllInfos()) {
    if (!in_family(*info)) continue;
    Ids ids = all_of(in_family);
    if (!ids.empty()) return std::pair(Reach::kFamily, std::move(ids));
    return InvalidInput(
        fmt::format("{}: found family '{}', all of whose rules are new, expected preview "
                    "to be on (--preview), or ids",
                    word.from, word.text));
  }
  if (FindNoteKind(word.text) != nullptr || word.text == "RD") {
    return InvalidInput(
        fmt::format("{}: found '{}', which are notes on what could not be read, expected a "
                    "rule: notes cannot be selected or ignored, and fail no run",
                    word.from, word.text));
  }
  return InvalidInput(
      fmt::format("{}: found rule '{}', expected an id (AL001), a name (tile-pad-waste), a "
                  "family (AL) or ALL, as 'tilewise list rules' shows them{}",
                  word.from, word.text.substr(0, 64), DidYouMean(word.text, RuleWords())));
}

class Resolver {
 public:
  explicit Resolver(bool preview) : preview_(preview) {
    for (const RuleInfo* info : AllInfos()) {
      if (info->set == RuleSet::kDefault || (preview && info->set == RuleSet::kPreview)) {
        standard_.emplace(info->id);
      }
    }
    chosen_ = standard_;
  }

  absl::Status Apply(const Layer& layer) {
    TW_RETURN_IF_ERROR(ApplyLists(layer));
    TW_RETURN_IF_ERROR(ApplySeverity(layer));
    return ApplyThresholds(layer);
  }

  RuleConfig Take() {
    RuleConfig config;
    config.settings = std::move(settings_);
    config.selection.preview = preview_;
    config.selection.asked.assign(asked_.begin(), asked_.end());
    const bool only_less = std::ranges::includes(standard_, chosen_);
    if (only_less) {
      std::ranges::set_difference(standard_, chosen_, std::back_inserter(config.selection.ignore));
    } else {
      config.selection.select.assign(chosen_.begin(), chosen_.end());
    }
    return config;
  }

 private:
  absl::Status ApplyLists(const Layer& layer) {
    // The narrower a word, the later it is applied; ignore wins among equals.
    std::multimap<std::pair<Reach, bool>, Ids> updates;
    for (const bool ignored : {false, true}) {
      for (const Word& word : ignored ? layer.ignore : layer.select) {
        TW_ASSIGN_OR_RETURN(auto meaning, Meaning(word, preview_ || ignored));
        if (!ignored) asked_.insert(meaning.second.begin(), meaning.second.end());
        updates.emplace(std::pair(meaning.first, ignored), std::move(meaning.second));
      }
    }
    if (layer.selects) chosen_.clear();
    for (const auto& [order, ids] : updates) {
      for (const std::string& id : ids) Choose(id, !order.second);
    }
    return absl::OkStatus();
  }

  absl::Status ApplySeverity(const Layer& layer) {
    std::multimap<Reach, std::pair<Ids, const SeverityLine*>> lines;
    for (const SeverityLine& line : layer.severity) {
      TW_ASSIGN_OR_RETURN(auto meaning, Meaning(line.rule, true));
      lines.emplace(meaning.first, std::pair(std::move(meaning.second), &line));
    }
    for (const auto& [reach, entry] : lines) {
      const auto& [ids, line] = entry;
      TW_RETURN_IF_ERROR(SetSeverity(ids, *line));
    }
    return absl::OkStatus();
  }

  absl::Status SetSeverity(const Ids& ids, const SeverityLine& line) {
    if (line.level == "off") {
      for (const std::string& id : ids) {
        if (chosen_.contains(id)) off_.insert(id);
        Choose(id, false);
      }
      return absl::OkStatus();
    }
    for (const Severity severity : {Severity::kInfo, Severity::kWarning, Severity::kError}) {
      if (line.level != SeverityName(severity)) continue;
      for (const std::string& id : ids) {
        settings_.severities[id] = severity;
        if (off_.erase(id) > 0) Choose(id, true);
      }
      return absl::OkStatus();
    }
    const std::vector<std::string> levels = {"info", "warning", "error", "off"};
    return InvalidInput(fmt::format("{}: found '{}' for {}, expected info, warning, error or off{}",
                                    line.rule.from, line.level.substr(0, 64),
                                    line.rule.text.substr(0, 64), DidYouMean(line.level, levels)));
  }

  absl::Status ApplyThresholds(const Layer& layer) {
    for (const SeverityLine& line : layer.thresholds) {
      TW_ASSIGN_OR_RETURN(const std::string key, ThresholdKey(line.rule));
      TW_ASSIGN_OR_RETURN(settings_.thresholds[key], Number(line));
    }
    return absl::OkStatus();
  }

  // "AL009.min-ratio", of an id or a name.
  static absl::StatusOr<std::string> ThresholdKey(const Word& word) {
    const size_t dot = word.text.find('.');
    const Word rule_word = {word.text.substr(0, dot), word.from};
    const Rule* rule = FindRule(rule_word.text);
    if (rule == nullptr)
      return Meaning(rule_word, true).status().ok() ? NotOneRule(word)
                                                    : Meaning(rule_word, true).status();
    const std::string name = dot == std::string::npos ? "" : word.text.substr(dot + 1);
    std::vector<std::string> known;
    for (const Threshold& threshold : rule->info.thresholds) {
      if (threshold.name == name) return fmt::format("{}.{}", rule->info.id, name);
      known.emplace_back(threshold.name);
    }
    std::string names;
    for (const std::string& each : known) {
      names += (names.empty() ? "" : ", ") + each;
    }
    return InvalidInput(fmt::format("{}: found threshold '{}' of {}, expected {}{}", word.from,
                                    name.substr(0, 64), rule->info.id,
                                    known.empty() ? "none: the rule has no thresholds" : names,
                                    DidYouMean(name, known)));
  }

  static absl::Status NotOneRule(const Word& word) {
    return InvalidInput(
        fmt::format("{}: found threshold '{}', expected RULE.name, as AL009.min-ratio", word.from,
                    word.text.substr(0, 64)));
  }

  // "0.5" or "50%".
  static absl::StatusOr<double> Number(const SeverityLine& line) {
    std::string_view text = line.level;
    const bool percent = text.ends_with('%');
    if (percent) text.remove_suffix(1);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= 0 && value < 1e15) {
      return percent ? value / 100 : value;
    }
    return InvalidInput(
        fmt::format("{}: found '{}' for {}, expected a number from 0 on, or a percentage",
                    line.rule.from, line.level.substr(0, 64), line.rule.text.substr(0, 64)));
  }

  void Choose(const std::string& id, bool chosen) {
    if (chosen) {
      chosen_.insert(id);
    } else {
      chosen_.erase(id);
    }
  }

  bool preview_;
  Ids standard_;
  Ids chosen_;
  Ids asked_;  // named in lists of what is selected
  Ids off_;    // chosen, but for a severity of "off"
  RuleSettings settings_;
};

}  // namespace

absl::StatusOr<RuleConfig> RulesFor(const LintConfig& config, const RuleOverrides& overrides,
                                    std::string_view file) {
  bool preview = config.rules.preview.value_or(false);
  std::vector<Layer> layers = {LayerOf(config.rules)};
  for (const PathRules& entry : config.per_path) {
    // Words of entries that do not mean the file are checked all the same.
    const Layer layer = LayerOf(entry.rules);
    if (file.empty() || !MatchesPath(entry.paths, entry.base, file)) {
      TW_RETURN_IF_ERROR(Resolver(true).Apply(layer));
      continue;
    }
    preview = entry.rules.preview.value_or(preview);
    layers.push_back(layer);
  }
  for (const ConfigSuppression& entry : config.suppress) {
    const Word word = {entry.rule, FormatLocation(entry.from)};
    TW_RETURN_IF_ERROR(Meaning(word, true).status());
  }
  TW_ASSIGN_OR_RETURN(Layer flags, LayerOf(overrides));
  layers.push_back(std::move(flags));
  Resolver resolver(overrides.preview.value_or(preview));
  for (const Layer& layer : layers) TW_RETURN_IF_ERROR(resolver.Apply(layer));
  RuleConfig rules = resolver.Take();
  rules.overrides = overrides;
  return rules;
}

bool Selects(const RuleSelection& selection, std::string_view id) {
  if (std::ranges::find(selection.ignore, id) != selection.ignore.end()) {
    return false;
  }
  if (!selection.select.empty()) {
    return std::ranges::find(selection.select, id) != selection.select.end();
  }
  const Rule* rule = FindRule(id);
  if (rule == nullptr) return false;
  return rule->info.set == RuleSet::kDefault ||
         (selection.preview && rule->info.set == RuleSet::kPreview);
}

}  // namespace tilewise
