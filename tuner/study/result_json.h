// A result as text and back, to the last bit.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "tuner/evaluate.h"

namespace tilewise {

std::string WriteResult(const Result& result);
// What depends on the search is to be filled in again (see FillIn). Errors: a
// text of another form.
absl::StatusOr<Result> ReadResult(std::string_view text);

// The setting of the candidate, and what constraints say of the trial.
void FillIn(const Space& space, const Candidate& candidate, Result& result);

}  // namespace tilewise
