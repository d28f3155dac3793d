// The words that name one rule, for messages about one that names none.

#pragma once

#include <string>
#include <vector>

namespace tilewise {

// Id and name of every rule, by id.
std::vector<std::string> RuleWords();

}  // namespace tilewise
