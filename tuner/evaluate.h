// Candidates of a search become trials.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tuner/space.h"
#include "tuner/trial.h"

namespace tilewise {

struct Candidate {
  int32_t setting = 0;
  int64_t batch_per_core = 0;
  // It is simulated only if it may score more than this.
  double to_beat = 0;
  // Whether all steps per execution are simulated, also those that are no better
  // by what the longest execution tells.
  bool tries_all = false;
  // Lower bounds are enough for a step that does not fit, or cannot score that much.
  bool bounds_suffice = false;
};

struct Result {
  Trial trial;         // with the best steps per execution of those that are tried
  std::string error;   // why there is no trial
  int64_t points = 0;  // steps per execution that there are to try
  int64_t simulated = 0;
  bool recalled = false;  // a log had it
};

// The loop around a step is cheap compared with it, so all steps per execution are
// tried at once, but for those that the step alone tells to be no better.
Result Evaluate(const Space& space, const Candidate& candidate);

// Returns the trial with how sure it is to fit, and whether the constraints allow it.
Trial Rated(const Space& space, int32_t setting, Trial trial);

// The loops around a step of the trial's batch, each with how sure it is.
absl::StatusOr<std::vector<Trial>> LoopsAround(const Space& space, const Trial& trial);
// The user's own point.
absl::StatusOr<Trial> OwnTrial(const Space& space);

// A log keeps results as they come, and finds them again. It is called from several threads, one at
// a time.
class TrialLog {
 public:
  virtual ~TrialLog() = default;
  // Whether this process shall see to the candidate; false: another one does,
  // which has the log in common. To be released, whatever comes of it.
  virtual absl::StatusOr<bool> Claim(const Space&, const Candidate&) { return true; }
  virtual absl::Status Release(const Space&, const Candidate&) { return absl::OkStatus(); }
  // True, and `result` filled in, where there is one. A pruned one serves only a
  // candidate whose score to beat is not below that of then.
  virtual absl::StatusOr<bool> Find(const Space& space, const Candidate& candidate,
                                    Result& result) = 0;
  virtual absl::Status Add(const Space& space, const Candidate& candidate,
                           const Result& result) = 0;
};

}  // namespace tilewise
