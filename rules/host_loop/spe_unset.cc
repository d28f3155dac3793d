// Flags a Keras loop that dispatches every step on its own.

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "rules/host_loop/execution_ladder.h"
#include "workload/versions.h"

namespace tilewise::HL001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL001",
    .name = "spe-unset",
    .fix = Applicability::kUnsafe,
    .summary = "compile() leaves steps_per_execution at 1",
    .doc = R"(
What: compile() does not set steps_per_execution (or sets 1), or the
configuration of a training loop sets its steps per loop to 1, and starting an
execution for every step takes at least 1 % of the simulated loop; without a
model under a TPU strategy alone; or a log with Keras' warning that
on_train_batch_end is slow compared to the batch.
Why: the host starts each execution from Python; the device waits meanwhile.
With N steps per execution it waits once per N steps. The rest of the host's
work for a step (feeding, metrics) stays whatever N is.
Remedy: the smallest N of 2, 5, 10, 20, .. within 0.2 % of the best one, up to
the steps of an epoch and about a second per execution, longer where that still
gains a percent. It need not divide the steps of an epoch.
Ignore: steps longer than half a second, run_eagerly, and callbacks that must
act on every batch: with N they run once per N steps.
Numbers: the simulated loop with and without, on the chosen host: the mean of
all steps of the run, which the saving is told in too. While a step waits for
its input, dispatch is hidden; then the saving is told that it has once the
input keeps up.
Sources: Cloud TPU guide (about 50 %), tensorflow#41742, Keras trainer.)",
};

constexpr double kMinGain = 0.01;

bool Unset(const Count& steps) { return !steps.present() || steps.is(1); }

std::string CallbackWarning(const HostLoop& host) {
  for (const Callback& callback : host.callbacks) {
    if (!callback.per_batch) continue;
    return fmt::format("; {} acts on batches and would run once per execution", callback.name);
  }
  return "";
}

// Returns where the number is, or would be.
Location LocationOfSteps(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  return SettingOfSteps(facts).empty() ? host.compile : host.steps_per_execution_location;
}

std::string WhatIsSet(const Facts& facts) {
  const std::string setting = SettingOfSteps(facts);
  return setting.empty() ? "compile() leaves steps_per_execution at 1" : setting + " is 1";
}

std::string SetSeveral(const Facts& facts) {
  const std::string setting = SettingOfSteps(facts);
  return fmt::format("{}, with N so that one execution takes 0.1 to 1 s",
                     setting.empty() ? "pass steps_per_execution=N to compile()"
                                     : fmt::format("set {} to N", setting));
}

// No model was simulated: the dispatch is known, its share of a step is not, so that this is
// information but where the program is written for TPUs, whose steps are short. Those of pretrained
// language models are not.
void ReportWithoutModel(const Facts& facts, Sink& sink) {
  const HostRuntime& runtime =
      facts.target.host.runtime(FrameworkName(facts.workload.host_loop.framework));
  Diagnostic& found =
      sink.Report(LocationOfSteps(facts),
                  "{}, expected a number of steps per dispatch; each dispatch costs about {} on "
                  "the host ({}), the step time is not known",
                  WhatIsSet(facts), FormatSeconds(runtime.per_execution), facts.target.host.name);
  const bool is_long = Imports(facts.workload.facts, "transformers");
  if (!facts.training || !facts.workload.host_loop.uses_tpu_strategy || is_long)
    found.severity = Severity::kInfo;
  found.cost.time_per_step = runtime.per_execution;
  found.fix.applicability = Applicability::kShow;
  found.fix.text = SetSeveral(facts);
}

// What dispatch keeps when executions are long.
std::string Staying(Seconds per_step) {
  if (per_step <= Seconds{}) return "";
  return fmt::format("; another {} of host work per step stays at any number",
                     FormatSeconds(per_step));
}

void Report(const Facts& facts, const ExecutionChoice& choice, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const HostRuntime& runtime = facts.target.host.runtime(FrameworkName(host.framework));
  const std::string then = choice.saved() > Seconds{}
                               ? fmt::format("with {} steps per execution a step takes {}",
                                             choice.steps, FormatSeconds(choice.step))
                               : "hidden while the step waits for its input";
  Finding& found =
      sink.Report(LocationOfSteps(facts),
                  "{}: starting an execution takes {} of each {} step ({}), expected under {}; "
                  "{}{} (simulated on {}, {} host)",
                  WhatIsSet(facts), FormatSeconds(runtime.per_execution), FormatSeconds(choice.now),
                  FormatPercent(runtime.per_execution / choice.now), FormatPercent(kMinGain), then,
                  Staying(runtime.per_step), facts.target.chip.name, facts.target.host.name);
  AddExecutionFix(choice, found);
  const std::string written = WriteChange(facts, found.change, found);
  found.fix.text = written.empty()
                       ? fmt::format("pass {}={} to compile()",
                                     StepsPerExecutionKeyword(facts.workload.facts), choice.steps)
                       : written;
  found.fix.text += CallbackWarning(host);
}

// Whether fit() runs under a strategy of GPUs, which starts each step by itself.
bool IsForGpus(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  return facts.loop != nullptr && facts.training && host.framework == Framework::kKeras &&
         host.compile.known() && host.fit.known() && !host.run_eagerly &&
         Unset(host.steps_per_execution) && !StrategyWithoutTpus(facts).empty();
}

// What is named beside the findings.
void ReportHidden(const Facts& facts, std::string_view why, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const Seconds start = facts.target.host.runtime(FrameworkName(host.framework)).per_execution;
  Finding& found =
      sink.Report(LocationOfSteps(facts), "{}: starting an execution takes {} of each {} step ({})",
                  WhatIsSet(facts), FormatSeconds(start), FormatSeconds(facts.loop->step),
                  facts.target.host.name);
  found.cost = WallCost(start, facts.loop->step);
  found.fix.text = SetSeveral(facts);
  found.too_small = why;
}

// " (4.70 ms of host time for a batch of 1.30 ms, 3.6 times)".
std::string TimesOfHook(const Facts& facts, const SlowBatchHook& hook) {
  if (hook.hook <= Seconds{}) return "";
  Seconds step = hook.batch;
  std::string_view what = "for a batch of";
  if (const LoggedSteps* steps = facts.workload.run_log.best_steps(); step <= Seconds{} && steps) {
    step = steps->steady;
    what = "in steps of";
  }
  if (step <= Seconds{}) return fmt::format(" ({} each time)", FormatSeconds(hook.hook));
  return fmt::format(" ({} {} {}, {:.2g} times)", FormatSeconds(hook.hook), what,
                     FormatSeconds(step), hook.hook / step);
}

// A log of TPUEstimator that starts a loop on the host for every batch.
void ReportLoopsOfOne(const Facts& facts, Sink& sink) {
  for (const InputWait& wait : facts.workload.run_log.input) {
    if (wait.kind != InputWait::Kind::kLoop || wait.size != 1) continue;
    Finding& found = sink.Report(
        wait.location,
        "TPUEstimator feeds one batch for each loop on the device{}: the host returns to Python "
        "for every batch, expected hundreds of batches a loop",
        wait.gap > Seconds{} ? fmt::format(", {} apart", FormatSeconds(wait.gap)) : "");
    found.measured = true;
    if (wait.gap > Seconds{}) {
      found.cost.time_per_step = wait.gap;
      found.cost.of_wall_step = true;
    } else {
      found.cost.unknown = "the log has no times";
    }
    found.fix.applicability = Applicability::kShow;
    found.fix.text =
        "set iterations_per_loop in TPUConfig to the steps of some seconds; for prediction take "
        "larger batches, as each is a loop of its own";
  }
}

// A log says that hooks take longer than the batches between them. With a
// script, that one tells.
void ReportFromLog(const Facts& facts, Sink& sink) {
  const std::vector<SlowBatchHook>& hooks = facts.workload.slow_batch_hooks;
  if (hooks.empty() || !facts.workload.facts.calls.empty()) return;
  const SlowBatchHook& hook = hooks.front();
  Finding& found =
      sink.Report(hook.location,
                  "Keras warns that {} is slow compared to the batch{}: the host spends the time "
                  "between short steps, expected several steps for each execution",
                  hook.method, TimesOfHook(facts, hook));
  found.measured = true;
  if (hook.hook > Seconds{}) {
    found.cost.time_per_step = hook.hook;
    found.cost.of_wall_step = true;
  } else {
    found.cost.unknown = "the log does not tell how long the hook takes";
  }
  found.fix.applicability = Applicability::kShow;
  found.fix.text =
      "pass steps_per_execution=N to compile(), with N so that one execution takes 0.1 to 1 s";
}

void Check(const Facts& facts, Sink& sink) {
  ReportFromLog(facts, sink);
  ReportLoopsOfOne(facts, sink);
  if (IsForGpus(facts)) return ReportHidden(facts, kOnTpusAlone, sink);
  if (!RunsKerasSteps(facts) && SettingOfSteps(facts).empty()) return;
  if (!Unset(facts.workload.host_loop.steps_per_execution)) return;
  if (facts.model == nullptr || facts.loop == nullptr) {
    ReportWithoutModel(facts, sink);
    return;
  }
  const std::optional<ExecutionChoice> choice = ChooseSteps(facts, 1);
  const Seconds step = facts.loop->step;
  // Dispatch is hidden while the step waits for its input; it counts once the input keeps up.
  const auto once_fed = choice ? ChooseStepsOnceFed(facts) : std::nullopt;
  if (choice && choice->saved() >= choice->now * kMinGain) {
    Report(facts, *choice, sink);
  } else if (once_fed) {
    Report(facts, *once_fed, sink);
  } else if (choice || facts.loop->dispatch < step * kMinGain) {
    ReportHidden(facts, kLittleOfStep, sink);
  }
}

}  // namespace

TW_RULE(HL001)

}  // namespace tilewise::HL001
