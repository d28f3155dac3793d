// Batch size x steps_per_execution x settings -> trials, the best of them, and
// why.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error_range.h"
#include "base/status.h"
#include "graph/training.h"
#include "session/session.h"
#include "tuner/trial.h"

namespace tilewise {

inline constexpr double kDefaultCertainty = 1 - ErrorRange::kOutside;

inline constexpr double kDefaultMargin = 0.01;

// What is to be as good as can be.
struct Objective {
  enum class Kind : uint8_t {
    kThroughput,  // examples per second
    kCost,        // examples per unit of money
    kLatency,     // of a step with its share of the host's work
  };
  Kind kind = Kind::kThroughput;
  std::map<std::string, double> price;  // of a chip and hour, by the chip's name
};

// A knob (tuner/knob.h) and the values that are tried; empty: those worth it.
struct KnobChoice {
  std::string knob;
  std::vector<std::string> values;
};

// What is tried besides the session's own point, which is tried in any case.
struct SearchSpace {
  std::vector<int64_t> batch_per_core;       // empty: the default ladder
  std::vector<int64_t> steps_per_execution;  // empty: the default ladder
  std::vector<KnobChoice> knobs;             // each with every other
  std::optional<int64_t> max_global_batch;
  Objective objective;
  // Returns where published HBM peaks of such a step on such a chip lie around simulated ones;
  // empty: simulated peaks are taken as they are.
  std::function<std::optional<ErrorRange>(bool loops_over_layers, std::string_view chip)>
      memory_range;
  double certainty = kDefaultCertainty;  // least share of them that has to fit
  // Batches whose score is less than this part below the best are as good.
  double margin = kDefaultMargin;
  std::string strategy = "grid";  // see tuner/strategy.h
  int64_t most_trials = 64;       // of the strategies that do not try all
  uint64_t seed = 1;
};

// The best trial of one setting, or of one machine.
struct Contender {
  Trial trial;
  std::string changes;  // against the user's own setting; empty: that one
  std::string machine;  // "v5e-16"
  int64_t chips = 0;
  std::optional<double> cost;  // of a million examples
  // No other point is both faster and cheaper; without prices, on fewer chips.
  bool on_front = false;
};

// What is next best of what was simulated.
struct RunnerUp {
  Trial trial;
  std::string changes;  // against the user's own setting
  std::string machine;
  double score = 1;  // over that of the best
};

// How much of the space was simulated.
struct Effort {
  int64_t settings = 1;
  int64_t candidates = 0;  // settings x batches that were asked for
  int64_t pruned = 0;      // of them, by their estimate
  int64_t points = 0;      // candidates x steps_per_execution
  int64_t simulated = 0;   // of the points
  int64_t recalled = 0;    // candidates that a study had
  bool complete = true;    // nothing that may be better was left out
  // How many times as fast an untried setting can be at most, all its matmuls at
  // peak rates; none where everything was tried.
  std::optional<double> untried_at_most;
};

struct Tuning {
  std::vector<Trial> curve;           // best steps_per_execution for each batch, by batch
  std::vector<Trial> executions;      // steps_per_execution ladder at the best batch
  std::optional<Trial> best;          // none when nothing fits; the surest if none is sure
  std::optional<Trial> gamble;        // faster, and fits as simulated, but is not sure
  std::optional<RunnerUp> runner_up;  // what would be chosen without the best
  std::optional<Trial> current;       // the user's own point, when known
  std::string changes;                // of the best setting against the user's own
  std::string machine;                // that it is on
  std::string device = "core";        // what a batch per core is that of there: "core", "chip"
  int64_t parts = 1;                  // in which its gradients are summed
  std::vector<Contender> contenders;  // best first; empty where there is one setting
  Effort effort;
  double certainty = kDefaultCertainty;  // what was asked for
  double margin = kDefaultMargin;
  std::string margin_in_words() const;  // "1 %"
  Objective objective;
  double cheaper = 1;                    // money for the present machine over that for the best one
  std::string why;                       // one or two sentences with numbers
  std::string learning_rate;             // what the batch change means for it
  std::vector<std::string> constraints;  // those that were active, in words
};

// This is called with (done, total) from the calling thread; may be empty.
using Progress = std::function<void(int64_t done, int64_t total)>;

class Executor;
class TrialLog;

// This says who takes part in a search besides the one that asks; null: nobody.
struct Helpers {
  TrialLog* log = nullptr;       // see tuner/evaluate.h
  Executor* executor = nullptr;  // see tuner/round.h
};

// Errors: a workload without a model, a knob or a value that there is not, a
// model whose batch cannot be changed; those of the log.
absl::StatusOr<Tuning> Tune(const Session& session, const SearchSpace& space,
                            const Progress& progress, const Helpers& helpers = {});

// The score of the best over that of the present setting; 0: one of them is not known.
double GainOf(const Tuning& tuning);

// Larger is better.
double Score(const Trial& trial, const Target& target, const Objective& objective);

std::string ExplainChoice(const Tuning& tuning);
// What is next best, and by how much; empty: nothing else fits.
std::string ExplainRunnerUp(const Tuning& tuning);
// "12 settings, 96 of 110 candidates simulated ..".
std::string EffortInWords(const Effort& effort);

// Learning-rate advice for going from `from` to `to` examples per step.
std::string ExplainLearningRate(int64_t from, int64_t to, const TrainingSpec& spec);

}  // namespace tilewise
