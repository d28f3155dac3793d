// Flags a Keras loop that dispatches every step on its own.

#include <fmt/format.h>

#include "rules/edits.h"
#include "rules/host_loop/execution_ladder.h"
#include "rules/places.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL001",
    .name = "spe-unset",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .summary = "compile() leaves steps_per_execution at 1",
    .doc = R"(
What: compile() does not set steps_per_execution (or sets 1) under a TPU
strategy, and the dispatch of single steps takes at least 1 % of the loop.
Why: the host starts each execution from Python; the device waits meanwhile.
With N steps per execution it waits once per N steps.
Remedy: the smallest N that leaves less than 2 % to dispatch while an execution
stays within about a second; a divisor of the steps of an epoch where one is
near (it need not divide exactly).
Ignore: steps longer than a second, run_eagerly, and callbacks that must act on
every batch: with N they run once per N steps.
Numbers: the simulated loop with and without, on the chosen host.
Sources: Cloud TPU guide (about 50 %), tensorflow#41742, Keras trainer.)",
};

constexpr double kMinGain = 0.01;

bool Unset(const Count& steps) { return !steps.present() || steps.is(1); }

std::string CallbackWarning(const HostLoop& host) {
  for (const Callback& callback : host.callbacks) {
    if (!callback.per_batch) continue;
    return fmt::format("; {} acts on batches and would run once per execution",
                       callback.name);
  }
  return "";
}

// No model was simulated: the dispatch is known, its share of a step is not.
void ReportWithoutModel(const Facts& facts, Sink& sink) {
  const HostRuntime& runtime = facts.target.host.runtime(
      FrameworkName(facts.workload.host_loop.framework));
  Diagnostic& found = sink.Report(
      facts.workload.host_loop.compile,
      fmt::format("compile() leaves steps_per_execution at 1, expected a "
                  "number of steps per dispatch; each dispatch costs about {} "
                  "on the host ({}), the step time is not known",
                  FormatSeconds(runtime.per_execution),
                  facts.target.host.name));
  found.severity = Severity::kInfo;
  found.fix.applicability = Applicability::kShow;
  found.fix.text =
      "pass steps_per_execution=N to compile(), with N so that one execution "
      "takes 0.1 to 1 s";
}

void Report(const Facts& facts, const ExecutionChoice& choice, Seconds saved,
            Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const LoopTimeline& now = *facts.loop;
  std::string epoch;
  if (now.steps_per_epoch > 0 && now.epoch.value > 0) {
    const Seconds dispatch =
        now.dispatch * static_cast<double>(now.steps_per_epoch);
    epoch =
        fmt::format(", {} of the epoch", FormatPercent(dispatch / now.epoch));
  }
  Diagnostic& found = sink.Report(
      host.compile,
      fmt::format("compile() leaves steps_per_execution at 1: dispatch takes "
                  "{} of each {} step{}; expected under 2 %; {} steps per "
                  "execution would take {} a step (simulated on {}, {} host)",
                  FormatSeconds(now.dispatch), FormatSeconds(now.step), epoch,
                  choice.steps, FormatSeconds(choice.loop.step),
                  facts.target.chip.name, facts.target.host.name));
  found.cost.time_per_step = saved;
  found.cost.share_of_step = saved / now.step;
  found.fix.text = fmt::format("pass steps_per_execution={} to compile(){}",
                               choice.steps, CallbackWarning(host));
  if (host.compile_arguments.begin < host.compile_arguments.end) {
    found.fix.edits =
        SetArgument(facts.workload, host.compile_arguments,
                    "steps_per_execution", std::to_string(choice.steps));
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (!RunsKerasSteps(facts)) return;
  if (!Unset(facts.workload.host_loop.steps_per_execution)) return;
  if (facts.model == nullptr || facts.loop == nullptr) {
    ReportWithoutModel(facts, sink);
    return;
  }
  const std::optional<ExecutionChoice> choice = ChooseSteps(facts);
  if (!choice) return;
  const LoopTimeline single =
      facts.loop_with(*facts.model, facts.global_batch, 1);
  const Seconds saved = single.step - choice->loop.step;
  if (saved < single.step * kMinGain) return;
  Report(facts, *choice, saved, sink);
}

}  // namespace

TW_RULE(HL001)

}  // namespace tilewise
