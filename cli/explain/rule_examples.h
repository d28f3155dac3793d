// Short fixtures of the rules, compiled into the program.

#pragma once

#include <string_view>
#include <vector>

#include "report/rule_pages.h"

namespace tilewise {

// At most one that has the rule's finding and one that has not, in this order.
std::vector<RuleExample> ShortExamples(std::string_view rule);

}  // namespace tilewise
