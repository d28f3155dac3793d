// The parts of a finding in words, shared by the formats that people read, and
// fingerprints for those that tell findings apart.

#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tilewise {

// "12.3 ms per step (31 % of the step), 1.20 GiB of HBM", "1.3 s once per run",
// "not known: no model was given"; empty when the rule does not say why.
std::string CostInWords(const Cost& cost);

// "saves 12.3 ms per step (31 % of the step) and 1.20 GiB of HBM if applied",
// "saves 2 us per step ... but takes 1.00 MiB more HBM if applied", "saves
// nothing measurable if applied".
std::string SavingInWords(const Saving& saving);

// Whether the saving says all that the cost does: the same figures as they are
// printed, and nothing else in the cost; or the cost is none.
bool SavesTheCost(const Diagnostic& finding);

// "IP002 prefetch-not-last"; the id alone for the notes of readers.
std::string RuleInWords(const Diagnostic& finding);

// "fix (safe)", "fix (unsafe, changes numerics)"; "fix" when there is only
// advice.
std::string FixLabel(const Fix& fix);

// The message with what it costs, what the fix saves and the fix below it, one
// line each: for formats that have one text per finding.
std::string FindingInLines(const Diagnostic& finding);

// One of 16 hexadecimal digits per finding, no two the same: the finding's own,
// else a hash of rule, location and item, which changes when lines move.
std::vector<std::string> DistinctFingerprints(const std::vector<Diagnostic>& findings);

}  // namespace tilewise
