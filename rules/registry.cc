// The table of all rules, made from rules.def, and look-up in it.

#include <array>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise {

#define TW_RULE_ID(id) extern const Rule kRule##id;
#include "rules/rules.def"
#undef TW_RULE_ID

namespace {

constexpr std::array kRules = {
#define TW_RULE_ID(id) &kRule##id,
#include "rules/rules.def"
#undef TW_RULE_ID
};

}  // namespace

std::span<const Rule* const> AllRules() { return kRules; }

const Rule* FindRule(std::string_view id_or_name) {
  for (const Rule* rule : kRules) {
    const RuleInfo& info = rule->info;
    if (id_or_name == info.id || id_or_name == info.name ||
        id_or_name == fmt::format("{}-{}", info.id, info.name) ||
        id_or_name == fmt::format("{} {}", info.id, info.name)) {
      return rule;
    }
  }
  return nullptr;
}

}  // namespace tilewise
