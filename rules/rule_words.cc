// Both words of each rule of the table.

#include "rules/rule_words.h"

#include "rules/rule.h"

namespace tilewise {

std::vector<std::string> RuleWords() {
  std::vector<std::string> words;
  for (const Rule* rule : AllRules()) {
    words.emplace_back(rule->info.id);
    words.emplace_back(rule->info.name);
  }
  return words;
}

}  // namespace tilewise
