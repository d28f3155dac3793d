// Tells the length of a run by fit(), its loops and its data.

#include "advice/run_length.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "advice/kind_of_program.h"
#include "pipeline/chain.h"
#include "session/session.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// The least saving in all steps of a run, however large a part of each step it is: it takes its
// reader longer to make the change. Who moves a program to a TPU does so for longer runs.
constexpr Seconds kLeastOfRun = {10.0};
constexpr Seconds kLeastOfRunElsewhere = {60.0};
// A program that trains and does not say for how long counts as one of so many steps: half of the
// ImageNet run of tensorflow/tpu's ResNet-50 (112,590 steps of 1,024 images).
constexpr int64_t kStepsOfUnknownRun = 50'000;
// So many steps are a trial.
constexpr int64_t kFewSteps = 1'000;
// So many examples has an epoch over files that are not here, where no TPU is named: those of
// CIFAR-10.
constexpr int64_t kExamplesOfUnknownEpoch = 50'000;

// fit() without epochs runs one, unless a loop calls it again.
bool RunsOneEpoch(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  if (host.framework != Framework::kKeras || host.epochs.present()) return false;
  const SourceFacts& source = facts.workload.facts;
  const SourceCall* const fit = CallAt(source, host.fit);
  return fit != nullptr && LoopAround(source, fit->context) < 0 &&
         FunctionAround(source, fit->context) < 0;
}

// How often the data are repeated before the last of them; nullopt: there is no last.
std::optional<double> RepeatsOf(const Workload& workload) {
  const Pipeline* const pipeline = workload.training_pipeline();
  std::optional<double> times = 1;
  if (pipeline == nullptr) return times;
  for (const Stage& stage : pipeline->stages) {
    const bool counts = stage.amount.kind == Count::Kind::kValue && stage.amount.value > 0;
    // What is taken of endless data has an end, and is the data then.
    if (stage.kind == StageKind::kTake && counts) times = 1;
    if (stage.kind != StageKind::kRepeat) continue;
    times = times && counts ? std::optional(*times * static_cast<double>(stage.amount.value))
                            : std::nullopt;
  }
  return times;
}

// How often the run goes over its data.
std::optional<double> EpochsOfRun(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  if (RunsOneEpoch(facts)) return 1;
  if (host.one_pass) return RepeatsOf(facts.workload);
  if (host.epochs.kind != Count::Kind::kValue || host.epochs.value < 1) return std::nullopt;
  return static_cast<double>(host.epochs.value);
}

// Whether all that the text shows of training is in loops of few rounds, where the program could
// not be followed so far.
bool TrainsInFewRounds(const SourceFacts& source) {
  bool any = false;
  for (const SourceCall& call : source.calls) {
    const std::string_view last = LastName(call.name);
    const bool trains = Mentions(last, "train") || last == "apply_gradients" ||
                        last == "backward" || (last == "run" && Mentions(call.receiver, "sess"));
    const int32_t loop = trains ? LoopAround(source, call.context) : -1;
    if (loop < 0) continue;
    const std::optional<int64_t> rounds = RoundsOf(source, loop);
    if (!rounds || *rounds >= kFewSteps || LoopAround(source, source.contexts[loop].parent) >= 0)
      return false;
    any = true;
  }
  return any;
}

// Whether fit() is given its steps per epoch in numbers, however many files there are.
bool WritesSteps(const Facts& facts) {
  const SourceCall* const fit = CallAt(facts.workload.facts, facts.workload.host_loop.fit);
  if (fit == nullptr) return false;
  const SourceArgument* const steps = ArgumentOf(fit->arguments, "steps_per_epoch");
  return steps != nullptr && (steps->integers.size() == 1 || steps->sizes.size() == 1);
}

// The examples of all epochs, where the files tell their number without a step that was simulated.
std::optional<int64_t> ExamplesOfRun(const Facts& facts) {
  const Pipeline* const pipeline = facts.workload.training_pipeline();
  const std::optional<double> epochs = EpochsOfRun(facts);
  if (pipeline == nullptr || !epochs || facts.workload.host_loop.length_assumed)
    return std::nullopt;
  const std::optional<int64_t> items = ItemsAt(*pipeline, pipeline->stages.size());
  constexpr double kMost = 1e15;
  if (!items || *epochs * static_cast<double>(*items) > kMost) return std::nullopt;
  return static_cast<int64_t>(*epochs * static_cast<double>(*items));
}

// The steps of a training run, those of one of unknown length included.
std::optional<int64_t> LikelySteps(const Facts& facts) {
  const std::optional<int64_t> steps = StepsOfRun(facts);
  const HostLoop& host = facts.workload.host_loop;
  if (steps || !host.fit.known()) return steps;
  const std::optional<int64_t> examples = ExamplesOfRun(facts);
  if (examples && facts.loop == nullptr && facts.global_batch > 0)
    return *examples / facts.global_batch;
  const bool counts_epochs = host.epochs.kind == Count::Kind::kValue && host.epochs.value > 0;
  if (!counts_epochs || facts.global_batch <= 0 || !ForOtherMachines(facts))
    return kStepsOfUnknownRun;
  const int64_t of_epoch = std::max<int64_t>(1, kExamplesOfUnknownEpoch / facts.global_batch);
  return of_epoch * std::min<int64_t>(host.epochs.value, std::numeric_limits<int32_t>::max());
}

}  // namespace

std::optional<int64_t> RoundsOf(const SourceFacts& source, int32_t loop) {
  const int32_t at = source.contexts[loop].call;
  if (at < 0) return std::nullopt;
  const SourceCall& over = source.calls[at];
  if (LastName(over.name) != "range" || over.arguments.size() != 1) return std::nullopt;
  const SourceArgument& rounds = over.arguments[0];
  const std::vector<int64_t>& count = rounds.sizes.empty() ? rounds.integers : rounds.sizes;
  return count.size() == 1 ? std::optional(count[0]) : std::nullopt;
}

std::optional<int64_t> StepsOfRun(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  if (host.run_steps) return host.run_steps;
  if (facts.loop == nullptr || facts.loop->steps_per_epoch <= 0) return std::nullopt;
  if (host.length_assumed && !WritesSteps(facts)) return std::nullopt;
  const std::optional<double> epochs = EpochsOfRun(facts);
  constexpr double kMost = 1e15;
  if (!epochs || *epochs * static_cast<double>(facts.loop->steps_per_epoch) > kMost)
    return std::nullopt;
  return static_cast<int64_t>(*epochs) * facts.loop->steps_per_epoch;
}

bool IsToyRun(const Facts& facts) {
  constexpr double kFewFlops = 1e5;  // of a training step's example
  // 8 lanes of two fused multiply-adds at 3 GHz do 96 GFLOP/s.
  constexpr double kFlopsOfMinute = 96e9 * 60;
  // A machine without a TPU has some cores; that of one is asked of programs for TPUs.
  constexpr double kCoresElsewhere = 8;
  if (facts.model == nullptr || facts.batch_per_core <= 0) return false;
  if (facts.workload.facts.calls.empty()) return false;  // not a program
  const double of_example =
      facts.model->estimate.useful_flops / static_cast<double>(facts.batch_per_core);
  if (of_example < kFewFlops) return true;
  const std::optional<int64_t> steps = LikelySteps(facts);
  const double cores = ForOtherMachines(facts) ? kCoresElsewhere : 1;
  return facts.training && steps &&
         of_example * static_cast<double>(facts.global_batch) * static_cast<double>(*steps) <
             kFlopsOfMinute * cores;
}

bool IsLittleOfRun(const Facts& facts, Seconds per_step) {
  const std::optional<int64_t> steps = LikelySteps(facts);
  const Seconds least = ForOtherMachines(facts) ? kLeastOfRunElsewhere : kLeastOfRun;
  return steps && per_step * static_cast<double>(*steps) < least;
}

bool PassesOnce(const Facts& facts) { return EpochsOfRun(facts) == 1; }

bool IsOfUnknownLength(const Facts& facts) {
  return facts.workload.host_loop.fit.known() && !StepsOfRun(facts) && !ExamplesOfRun(facts);
}

bool IsLittleAtMost(const Facts& facts) {
  const std::optional<int64_t> examples = ExamplesOfRun(facts);
  if (facts.model == nullptr && examples && *examples < kExamplesOfUnknownEpoch) return true;
  if (!ForOtherMachines(facts)) return false;
  const std::optional<int64_t> steps = StepsOfRun(facts);
  if (steps ? *steps < kFewSteps : TrainsInFewRounds(facts.workload.facts)) return true;
  return facts.loop != nullptr && IsLittleOfRun(facts, facts.loop->step);
}

}  // namespace tilewise
