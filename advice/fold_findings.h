// Keeps a report short where one rule has findings at very many locations.

#pragma once

#include <span>
#include <vector>

#include "advice/finding.h"
#include "session/facts.h"

namespace tilewise {

// The most expensive first; bytes decide between findings without time, then
// ReportsBefore.
bool CostsMore(const Diagnostic& a, const Diagnostic& b);

// Findings of one rule, location and message become one, with the cost and the
// changes of all: a layer may hold several equal ops, as both directions of a
// bidirectional one.
std::vector<Finding> OncePerLocation(std::vector<Finding> all);

// One finding for all of these, of one rule and the most expensive first; of a
// single one, itself. Without its edits.
Diagnostic SummaryOf(std::span<const Diagnostic> findings);

// More than six findings of one rule become the five most expensive and a
// summary of the others, which keeps them; its change is that of all of them
// which do not contradict each other.
std::vector<Finding> FoldEachRule(std::vector<Finding> all);

}  // namespace tilewise
