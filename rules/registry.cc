// The table of all rules, made from rules.def, look-up in it, and which of them
// a run is made of: the default set, or what is selected by id, name or family,
// less what is ignored.

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "rules/rule.h"
#include "rules/suppression_rules.h"

namespace tilewise {

#define TW_RULE_ID(id)         \
  namespace id {               \
  extern const Rule kRule##id; \
  }
#include "rules/rules.def"
#undef TW_RULE_ID

namespace {

constexpr std::array kRules = {
#define TW_RULE_ID(id) &id::kRule##id,
#include "rules/rules.def"
#undef TW_RULE_ID
};

// "AL001", "tile-pad-waste", "AL001-tile-pad-waste", "AL001 tile-pad-waste".
bool Names(const RuleInfo& info, std::string_view word) {
  if (word == info.id || word == info.name) return true;
  const size_t id = info.id.size();
  return word.size() == id + 1 + info.name.size() && word.starts_with(info.id) &&
         (word[id] == '-' || word[id] == ' ') && word.substr(id + 1) == info.name;
}

constexpr std::string_view kAll = "ALL";

bool NamesFamily(const RuleInfo& info, std::string_view entry) {
  if (entry == kAll) return true;
  return entry.size() == 2 && info.id.substr(0, 2) == entry;
}

bool NamesRule(const RuleInfo& info, std::string_view entry) {
  const Rule* rule = FindRule(entry);
  return rule != nullptr && rule->info.id == info.id;
}

bool Known(std::string_view entry) {
  if (FindRule(entry) != nullptr) return true;
  return std::ranges::any_of(AllRules(),
                             [entry](const Rule* rule) { return NamesFamily(rule->info, entry); });
}

}  // namespace

std::span<const Rule* const> AllRules() { return kRules; }

const Rule* FindRule(std::string_view id_or_name) {
  for (const std::span<const Rule* const> rules : {AllRules(), SuppressionRules()}) {
    for (const Rule* rule : rules) {
      if (Names(rule->info, id_or_name)) return rule;
    }
  }
  return nullptr;
}

std::vector<std::string> RuleWords() {
  std::vector<std::string> words;
  for (const Rule* rule : ListedRules()) {
    words.emplace_back(rule->info.id);
    words.emplace_back(rule->info.name);
  }
  return words;
}

bool IsSelected(const RuleInfo& info, const RuleSelection& selection) {
  const auto is_named = [&info](const std::string& entry) { return NamesRule(info, entry); };
  const auto is_of_family = [&info](const std::string& entry) { return NamesFamily(info, entry); };
  if (std::ranges::any_of(selection.ignore, is_named)) return false;
  if (std::ranges::any_of(selection.ignore, is_of_family)) return false;
  if (std::ranges::any_of(selection.select, is_named)) return true;
  if (info.set == RuleSet::kPreview && !selection.preview) return false;
  if (selection.select.empty()) return info.set != RuleSet::kOptional;
  return std::ranges::any_of(selection.select, is_of_family);
}

absl::Status CheckSelection(const RuleSelection& selection) {
  for (const auto* list : {&selection.select, &selection.ignore}) {
    for (const std::string& entry : *list) {
      if (Known(entry)) continue;
      return InvalidInput(
          fmt::format("found rule '{}', expected an id (AL001), a name (tile-pad-waste), a "
                      "family (AL) or ALL, as 'tilewise list rules' shows them{}",
                      entry.substr(0, 64), DidYouMean(entry, RuleWords())));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilewise
