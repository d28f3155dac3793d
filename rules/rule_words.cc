// Both words of each rule of the table.

#include "rules/rule_words.h"

#include "rules/rule.h"
#include "rules/suppression_rules.h"

namespace tilewise {

std::vector<std::string> RuleWords() {
  const std::vector<const Rule*> rules = ListedRules();
  std::vector<std::string> words;
  words.reserve(2 * rules.size());
  for (const Rule* rule : rules) {
    words.emplace_back(rule->info.id);
    words.emplace_back(rule->info.name);
  }
  return words;
}

}  // namespace tilewise
