// What each finding's fix gains, by simulating the program with it, and what
// all fixes together reach.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "advice/finding.h"
#include "base/status.h"
#include "session/facts.h"

namespace tilewise {

// Fixes that lower the model again are simulated for the most expensive
// findings, this many of them: fewer of larger models, from 64 to 4, so that
// the ops lowered stay about as many. It depends on nothing else, so results do
// not depend on how fast the machine is.
int32_t MostLowered(int32_t ops);

// The difference of two outcomes: time per step of the present batch, on the wall clock where the
// files tell how the step is fed, else on the device.
Saving SavingOf(const Facts& facts, const Outcome& now, const Outcome& then, const Change& change);

// What a change saves by itself, of the device where it is one of the graph alone; none where it
// cannot be simulated. A rule that asks sets it as the saving of its finding.
std::optional<Saving> SavingAlone(const Facts& facts, const Change& change);

// What a program that trains on one core of the slice saves when all of them share its batch; none
// where that is not so or they cannot share it.
std::optional<Saving> SavingOfAllCores(const Facts& facts);

// Makes `change` the fix of `found` and sets its saving, unless the simulated
// step gains no time from it: then it says so.
void SetIfItSaves(const Facts& facts, Change change, Finding& found);

// Sets `saving` of all other findings whose change can be simulated, on at most
// `threads` threads (0: one per core); the result is the same for any number.
// Where a finding has none and its cost is known, the text of its fix says why,
// once for each rule and reason.
// Returns how many were not simulated because of MostLowered.
int32_t AddSavings(const Facts& facts, std::span<Finding> findings, int threads);

// What the fixes reach together. `findings` have their savings. Errors: there
// is no simulated model.
absl::StatusOr<Reachable> Reach(const Facts& facts, std::span<const Finding> findings);

}  // namespace tilewise
