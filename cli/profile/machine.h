// The machine that a profile was taken on, as files that --chip and --host take.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/profile/compare.h"
#include "hardware/overlay.h"

namespace tilewise {

// Constants of the chip that bring the simulated times of matched ops to the
// measured ones: as many as the ops determine.
std::vector<ChangedConstant> ConstantsOf(const ProfileComparison& comparison, const Chip& chip);

// Returns the parts of their simulated times, once the constants are changed, between which the
// matched ops ran; none where they are few, or take less than half of the step.
std::optional<ErrorRange> RangeOf(const ProfileComparison& comparison,
                                  std::span<const ChangedConstant> changes, const Chip& chip);

// What the loop's host costs a step, for its runtime; empty where the device hides it.
std::vector<ChangedConstant> HostConstantsOf(const ProfileComparison& comparison,
                                             const ProfileAnalysis& analysis, const Host& host);

// Writes the chip to `path`, and beside it the host where the profile says something of
// it, which the chip's file then names. Errors: nothing that was both measured and
// simulated; another name than .txtpb; files that cannot be written.
absl::Status WriteMachine(const std::optional<ProfileComparison>& comparison,
                          const Profile& profile, const ProfileAnalysis& analysis,
                          const TargetOptions& target, const std::string& path);

}  // namespace tilewise
