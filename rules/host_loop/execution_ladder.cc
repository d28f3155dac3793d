// How many steps one execution should run, by the simulated loop.

#include "rules/host_loop/execution_ladder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "edit/setting.h"
#include "session/session.h"

namespace tilewise {
namespace {

constexpr std::array<int64_t, 9> kLadder = {2, 5, 10, 20, 50, 100, 200, 500, 1000};
constexpr double kCloseEnough = 1.002;   // as the tuner chooses
constexpr double kFewDispatches = 0.01;  // the part of a step that dispatch may take
constexpr Seconds kLongestExecution = {1.0};
constexpr double kWorthLonger = 1.01;  // a step of fewer steps per execution over one of more

// Returns the full steps of an epoch, when the number of examples or steps is
// known.
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

// Returns zero when it cannot be simulated.
Seconds WallStep(const Facts& facts, const StepTotals& step, int64_t steps) {
  Change change;
  change.steps_per_execution = steps;
  const Change* const one = &change;
  const absl::StatusOr<Outcome> outcome = facts.session.OutcomeAround(step, {&one, 1});
  return outcome.ok() ? outcome->wall_step : Seconds{};
}

std::vector<ExecutionChoice> Allowed(const Facts& facts, const StepTotals& step, int64_t now) {
  const int64_t most = FullStepsPerEpoch(facts).value_or(std::numeric_limits<int64_t>::max());
  const Seconds present = WallStep(facts, step, now);
  std::vector<ExecutionChoice> allowed;
  for (const int64_t steps : kLadder) {
    const Seconds then = WallStep(facts, step, steps);
    const Seconds execution = then * static_cast<double>(steps);
    if (steps > most) break;
    const Seconds before = allowed.empty() ? present : allowed.back().step;
    if (execution > kLongestExecution && before < then * kWorthLonger) break;
    allowed.push_back({steps, then, present});
  }
  return allowed;
}

}  // namespace

std::optional<ExecutionChoice> ChooseSteps(const Facts& facts, int64_t now) {
  if (facts.loop == nullptr) return std::nullopt;
  const absl::StatusOr<StepTotals> step = facts.session.StepWith({});
  if (!step.ok()) return std::nullopt;
  const std::vector<ExecutionChoice> allowed = Allowed(facts, *step, now);
  if (allowed.empty()) return std::nullopt;
  // A larger number above one never takes longer, so the last is the best.
  const Seconds enough = allowed.back().step * kCloseEnough;
  return *std::ranges::find_if(
      allowed, [enough](const ExecutionChoice& choice) { return choice.step <= enough; });
}

std::optional<ExecutionChoice> ChooseStepsOnceFed(const Facts& facts) {
  const LoopTimeline& loop = *facts.loop;
  const HostRuntime& runtime =
      facts.target.host.runtime(FrameworkName(facts.workload.host_loop.framework));
  const Seconds fed = loop.device_step + loop.dispatch;
  if (loop.step <= fed || runtime.per_execution < fed * kFewDispatches) return std::nullopt;
  const int64_t most = FullStepsPerEpoch(facts).value_or(std::numeric_limits<int64_t>::max());
  std::optional<ExecutionChoice> choice;
  for (const int64_t steps : kLadder) {
    if (steps > most) break;
    choice = {steps, loop.step, loop.step};
    if (runtime.per_execution / static_cast<double>(steps) < fed * kFewDispatches) break;
  }
  return choice;
}

void AddExecutionFix(const ExecutionChoice& choice, Finding& found) {
  found.cost = WallCost(choice.saved(), choice.now);
  found.change.steps_per_execution = choice.steps;
}

std::string_view StrategyWithoutTpus(const Facts& facts) {
  constexpr std::string_view kStrategies[] = {"MirroredStrategy", "MultiWorkerMirroredStrategy",
                                              "OneDeviceStrategy", "CentralStorageStrategy",
                                              "ParameterServerStrategy"};
  if (facts.workload.host_loop.uses_tpu_strategy || facts.workload.facts.tpu_strategy) return "";
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (!call.name.starts_with("tensorflow.distribute.")) continue;
    for (const std::string_view name : kStrategies) {
      if (call.name.ends_with(std::string(".") += name)) return name;
    }
  }
  return "";
}

bool RunsKerasSteps(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  const bool tpu = host.uses_tpu_strategy || facts.workload.facts.tpu_strategy;
  const bool simulated =
      facts.model != nullptr && facts.loop != nullptr && StrategyWithoutTpus(facts).empty();
  return facts.training && (tpu || simulated) && host.compile.known() && !host.run_eagerly &&
         host.framework == Framework::kKeras;
}

bool LoopsInFunction(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  return facts.training && host.framework == Framework::kCustomLoop &&
         host.steps_per_execution_or_default() > 1 && host.steps_per_execution_location.known();
}

std::string SettingOfSteps(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  const bool tpu = host.uses_tpu_strategy || facts.workload.facts.tpu_strategy;
  if (!facts.training || !tpu || host.run_eagerly ||
      host.steps_per_execution.kind != Count::Kind::kValue) {
    return "";
  }
  const auto setting = SettingAt(facts.workload, host.steps_per_execution_location);
  const bool number = setting && NumberIn(facts.workload, setting->value);
  return number ? std::string(setting->name) : "";
}

}  // namespace tilewise
