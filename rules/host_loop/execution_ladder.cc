// How many steps one execution should run, by the simulated loop.

#include "rules/host_loop/execution_ladder.h"

#include <algorithm>
#include <array>

namespace tilewise {
namespace {

constexpr std::array<int64_t, 10> kLadder = {2,   5,   10,  20,   50,
                                             100, 200, 500, 1000, 2000};
constexpr double kSmallOverhead = 0.02;
constexpr Seconds kLongestExecution = {1.0};
// Stands for "no dispatch is left".
constexpr int64_t kManySteps = 1'000'000;
// A divisor of the epoch is taken up to this many times the needed number.
constexpr int64_t kNearDivisor = 2;

LoopTimeline LoopAt(const Facts& facts, int64_t steps) {
  return facts.loop_with(*facts.model, facts.global_batch, steps);
}

// The smallest divisor of `epoch` from `steps` up, else `steps`.
int64_t DivisorFrom(int64_t steps, int64_t epoch) {
  for (int64_t n = steps; n <= std::min(epoch, kNearDivisor * steps); ++n) {
    if (epoch % n == 0) return n;
  }
  return steps;
}

int64_t Aligned(int64_t steps, std::optional<int64_t> epoch) {
  return epoch ? DivisorFrom(std::min(steps, *epoch), *epoch) : steps;
}

}  // namespace

std::optional<int64_t> FullStepsPerEpoch(const Facts& facts) {
  const Count& declared = facts.workload.host_loop.steps_per_epoch;
  if (declared.kind == Count::Kind::kValue && declared.value > 0) {
    return declared.value;
  }
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline != nullptr && pipeline->source_items && facts.global_batch > 0) {
    return std::max<int64_t>(1, *pipeline->source_items / facts.global_batch);
  }
  if (facts.loop != nullptr && facts.loop->steps_per_epoch > 0) {
    return facts.loop->steps_per_epoch;
  }
  return std::nullopt;
}

std::optional<ExecutionChoice> ChooseSteps(const Facts& facts) {
  const Seconds ideal = LoopAt(facts, kManySteps).step;
  if (ideal > kLongestExecution || ideal.value <= 0) return std::nullopt;
  const std::optional<int64_t> epoch = FullStepsPerEpoch(facts);
  std::optional<ExecutionChoice> choice;
  for (const int64_t rung : kLadder) {
    const int64_t steps = Aligned(rung, epoch);
    if (choice && steps == choice->steps) break;
    if (steps < 2 ||
        ideal * static_cast<double>(steps) > kLongestExecution * 1.2) {
      break;
    }
    choice = ExecutionChoice{steps, LoopAt(facts, steps)};
    if ((choice->loop.step - ideal) / ideal < kSmallOverhead) break;
  }
  return choice;
}

bool RunsKerasSteps(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  const bool tpu = host.uses_tpu_strategy || facts.workload.facts.tpu_strategy;
  return facts.training && tpu && host.compile.known() && !host.run_eagerly &&
         host.framework == Framework::kKeras;
}

}  // namespace tilewise
