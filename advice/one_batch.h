// Keeps one of the findings that want another batch.

#pragma once

#include <string_view>
#include <vector>

#include "advice/finding.h"
#include "session/facts.h"

namespace tilewise {

// Whether all that its fix changes is the batch.
bool WantsBatch(const Finding& finding);

// Whether the rule is one of those that name the cause "the batch per core is too small".
bool SpeaksOfBatch(std::string_view rule);

// Findings that want another batch have one cause: the one that saves most
// stays and names the others in `related`. A batch that does not fit in the
// HBM is not advised, and none that is larger while the present one does not,
// or that leaves an epoch fewer than four steps.
// `findings` have their savings.
void KeepOneBatch(const Facts& facts, std::vector<Finding>& findings);

}  // namespace tilewise
