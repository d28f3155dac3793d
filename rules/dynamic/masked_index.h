// x[mask] and x[mask] = y in the code of steps, where the mask is known to be
// one of true and false.

#pragma once

#include <string>
#include <vector>

#include "rules/host_loop/step_code.h"
#include "workload/source_facts.h"

namespace tilewise {

struct MaskedIndex {
  const SourceSubscript* subscript = nullptr;
  StepCodeKind kind = StepCodeKind::kNone;
};

// Returns the indices in file order, each location once.
std::vector<MaskedIndex> MaskedIndices(const SourceFacts& facts, const StepCode& code);

// What it does, as the message of a finding.
std::string InWords(const SourceFacts& facts, const StepCode& code, const MaskedIndex& index);
std::string RemedyOf(const MaskedIndex& index);

}  // namespace tilewise
