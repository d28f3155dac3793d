// The table of all rules, made from rules.def, and look-up in it.

#include <array>

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

}  // namespace tilewise
