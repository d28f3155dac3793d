// Batch size x steps_per_execution -> trials, the best of them, and why.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error_range.h"
#include "base/status.h"
#include "base/units.h"
#include "graph/training.h"
#include "session/session.h"
#include "sim/lowering/largest_buffers.h"
#include "sim/timeline.h"

namespace tilewise {

inline constexpr double kDefaultCertainty = 1 - ErrorRange::kOutside;

// What is tried besides the session's own point, which is tried in any case.
struct SearchSpace {
  std::vector<int64_t> batch_per_core;       // empty: the default ladder
  std::vector<int64_t> steps_per_execution;  // empty: the default ladder
  std::optional<int64_t> max_global_batch;
  // Where published HBM peaks lie around simulated ones; none: simulated peaks
  // are taken as they are.
  std::optional<ErrorRange> memory_range;
  double certainty = kDefaultCertainty;  // least share of them that has to fit
};

// One candidate and its result; out of memory is a result.
struct Trial {
  int64_t batch_per_core = 0;
  int64_t global_batch = 0;
  int64_t steps_per_execution = 1;
  bool fits = false;     // as simulated
  double certainty = 1;  // share of published peaks like it that would fit
  Bytes hbm_peak, hbm_available;
  std::optional<double> roomy_part;  // see Memory
  std::vector<LargeBuffer> largest;  // three, largest first
  Seconds device_step;
  LoopTimeline loop;
  int64_t examples_per_epoch = 0;  // that are trained on; 0: unknown
  bool aligned = false;            // batch per core is a multiple of the sublanes
  bool allowed = true;             // within the constraints; only such a one is chosen
  bool sure = true;                // fits with the certainty that was asked for
};

struct Tuning {
  std::vector<Trial> curve;              // best steps_per_execution for each batch, by batch
  std::vector<Trial> executions;         // steps_per_execution ladder at the best batch
  std::optional<Trial> best;             // none when nothing fits; the surest if none is sure
  std::optional<Trial> gamble;           // faster, and fits as simulated, but is not sure
  std::optional<Trial> current;          // the user's own point, when known
  double certainty = kDefaultCertainty;  // what was asked for
  std::string why;                       // one or two sentences with numbers
  std::string learning_rate;             // what the batch change means for it
  std::vector<std::string> constraints;  // those that were active, in words
};

// Called with (done, total) from the calling thread; may be empty.
using Progress = std::function<void(int64_t done, int64_t total)>;

absl::StatusOr<Tuning> Tune(const Session& session, const SearchSpace& space,
                            const Progress& progress);

// A step with the host loop at `steps_per_execution`.
Trial WithLoop(const Session& session, const StepTotals& step, int64_t steps_per_execution);
// The step alone: of a batch that does not fit.
Trial WithoutLoop(const Session& session, const StepTotals& step);

// Examples per second over a whole epoch where its length is known, else in
// the steady state: what the tuner maximises.
double Throughput(const Trial& trial);

std::string ExplainChoice(const Tuning& tuning);

// Learning-rate advice for going from `from` to `to` examples per step.
std::string ExplainLearningRate(int64_t from, int64_t to, const TrainingSpec& spec);

}  // namespace tilewise
