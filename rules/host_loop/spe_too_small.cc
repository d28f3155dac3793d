// Flags a steps_per_execution so small that dispatch still shows.

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "rules/host_loop/execution_ladder.h"

namespace tilewise::HL002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL002",
    .name = "spe-too-small",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .summary = "steps_per_execution is set, but an execution is still short",
    .doc = R"(
What: steps_per_execution is above 1, or a tf.function takes several steps in a
loop (`for _ in tf.range(5)`), and dispatch takes at least 1 % of the loop,
with executions of less than 100 ms or steps that are slower than with 1.
Why: the cost of an execution is spread over too few steps. One of several steps
is waited for, whereas single steps are started ahead. In one measured series on
Colab 20 was slower than leaving it unset and 500 was best.
Remedy: the smallest number within 0.2 % of the best one, as for HL001.
Ignore: when callbacks need the shorter interval.
Sources: Keras trainer; published measurements of steps_per_execution.)",
};

constexpr Seconds kShortExecution = {0.1};
constexpr double kMinGain = 0.01;

// Returns zero where it cannot be simulated.
Seconds StepAtOne(const Facts& facts) {
  const std::optional<ExecutionChoice> choice = ChooseSteps(facts, 1);
  return choice ? choice->now : Seconds{};
}

void Check(const Facts& facts, Sink& sink) {
  if (!RunsKerasSteps(facts) && SettingOfSteps(facts).empty() && !LoopsInFunction(facts)) return;
  const HostLoop& host = facts.workload.host_loop;
  const Count& steps = host.steps_per_execution;
  if (steps.kind != Count::Kind::kValue || steps.value < 2) return;
  const std::optional<ExecutionChoice> choice = ChooseSteps(facts, steps.value);
  if (!choice || choice->steps <= steps.value) return;
  const Seconds execution = choice->now * static_cast<double>(steps.value);
  const Seconds single = StepAtOne(facts);
  const bool slower = single > Seconds{} && choice->now > single;
  if (execution >= kShortExecution && !slower) return;
  if (choice->saved() < choice->now * kMinGain) return;
  const Location& location = host.steps_per_execution_location;
  Finding& found = sink.Report(
      location.known() ? location : host.compile,
      "an execution of {} steps takes {}{}, expected {}; {} steps would take {} a step "
      "instead of {} (simulated on {}, {} host)",
      steps.value, FormatSeconds(execution),
      slower ? fmt::format(", slower than {} single steps", steps.value) : "",
      slower ? "more steps or one" : "100 ms or more", choice->steps, FormatSeconds(choice->step),
      FormatSeconds(choice->now), facts.target.chip.name, facts.target.host.name);
  AddExecutionFix(*choice, found);
  const std::string setting = SettingOfSteps(facts);
  const char* unnamed =
      LoopsInFunction(facts) ? "the steps of one tf.function" : "steps_per_execution";
  found.fix.text = fmt::format("raise {} from {} to {}", setting.empty() ? unnamed : setting,
                               steps.value, choice->steps);
  WriteChange(facts, found.change, found);
}

}  // namespace

TW_RULE(HL002)

}  // namespace tilewise::HL002
