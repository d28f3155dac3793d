// Which rules a run is made of: the default set, or what is selected by id,
// name or family, less what is ignored.

#include "rules/selected.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "rules/rule_words.h"

namespace tilewise {
namespace {

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
