// Copies and collectives beside kernels that a device waits for while it runs
// nothing, where the profile has no op for the wait.

#pragma once

#include <vector>

#include "profile/analysis/analysis.h"
#include "profile/profile.h"

namespace tilewise {

// As rows of the analysis; their time is what the devices wait, over all steps.
std::vector<ProfileOpRow> WaitedOps(const Profile& profile, const ProfileAnalysis& analysis);

}  // namespace tilewise
