// Copies and collectives beside kernels that a device waits for while it runs
// nothing, where the profile has no op for the wait.

#pragma once

#include <vector>

#include "profile/analysis/analysis.h"
#include "profile/profile.h"

namespace tilewise {

// The ops that devices wait for, as rows of the analysis; the time is that wait over all steps.
std::vector<ProfileOpRow> WaitedOps(const Profile& profile, const ProfileAnalysis& analysis);

}  // namespace tilewise
