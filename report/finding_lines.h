// The parts of a finding in words, shared by text and Markdown.

#pragma once

#include <string>

#include "base/diagnostic.h"

namespace tilewise {

// "12.3 ms per step (31 % of the step), 1.20 GiB of HBM", "1.3 s once per run",
// "not known: no model was given"; empty when the rule does not say why.
std::string CostInWords(const Cost& cost);

// "IP002 prefetch-not-last"; the id alone for the notes of readers.
std::string RuleInWords(const Diagnostic& finding);

// "fix (safe)"; "fix" when there is only advice.
std::string FixLabel(const Fix& fix);

}  // namespace tilewise
