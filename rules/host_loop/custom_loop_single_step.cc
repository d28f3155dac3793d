// Flags custom TensorFlow loops that dispatch each step from Python.

#include <algorithm>

#include <fmt/format.h>

#include "rules/host_loop/execution_ladder.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL008",
    .name = "custom-loop-single-step",
    .severity = Severity::kInfo,
    .fix = Applicability::kShow,
    .needs = {.training = true, .script = true},
    .summary = "a custom loop dispatches every step from Python",
    .doc = R"(
What: a Python loop that calls a tf.function of one step under a TPU strategy, or
strategy.run() of one; there is no loop over tf.range inside the function.
Why: as for steps_per_execution: the host starts each execution and the device
waits meanwhile.
Remedy: a tf.function that takes the iterator and a number of steps, with
`for _ in tf.range(steps): strategy.run(step, args=(next(iterator),))`.
Ignore: loops that need to act on each step, and long steps. JAX and torch_xla
dispatch ahead of the device, so their loops are not reported.
Numbers: with a model read, the simulated loop with one and with the best
number of steps per execution.
Sources: Cloud TPU guide, XProf's idle time (3 %).)",
};

bool RunsStrategy(const SourceFacts& source, int32_t function) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return IsStrategyRun(call) && IsInside(source, call.context, function);
  });
}

// A compiled function with one strategy.run() in it, or strategy.run() of a
// compiled one: what is not compiled is HL007's.
bool IsOneStep(const SourceFacts& source, const std::vector<CompiledFunction>& compiled,
               const StepLoop& loop) {
  if (loop.driver == StepDriver::kStrategyRun) {
    const std::vector<SourceArgument>& arguments = loop.call->arguments;
    const CompiledFunction* step =
        arguments.empty() ? nullptr : CompiledBy(compiled, arguments.front().name);
    return step != nullptr && step->function >= 0 && !HasLoop(source, step->function);
  }
  if (loop.driver != StepDriver::kCompiled || loop.compiled == nullptr ||
      loop.compiled->compiler != ScriptCompiler::kTfFunction) {
    return false;
  }
  const int32_t function = loop.compiled->function;
  return function >= 0 && !loop.several && RunsStrategy(source, function);
}

Finding& Report(const Facts& facts, const SourceCall& call,
                const std::optional<ExecutionChoice>& choice, Sink& sink) {
  const HostRuntime& runtime = facts.target.host.runtime(FrameworkName(Framework::kCustomLoop));
  Finding& found =
      sink.Report(call.location,
                  "{}() runs one step for each call from Python, and starting it takes about {} on "
                  "the {} host; expected several steps in one tf.function",
                  call.name, FormatSeconds(runtime.per_execution), facts.target.host.name);
  found.fix.text = fmt::format(
      "run {} steps in one tf.function: for _ in tf.range(steps): strategy.run(step, "
      "args=(next(iterator),))",
      choice ? std::to_string(choice->steps) : "N");
  if (!choice) {
    found.cost.unknown = "no model was read, so there is no step to simulate";
    return found;
  }
  AddExecutionFix(*choice, found);
  return found;
}

void Check(const Facts& facts, Sink& sink) {
  constexpr double kMinGain = 0.01;
  const SourceFacts& source = facts.workload.facts;
  if (!source.tpu_strategy) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (!IsOneStep(source, compiled, loop)) continue;
    const std::optional<ExecutionChoice> choice = ChooseSteps(facts, 1);
    if (!choice && facts.model != nullptr) continue;  // no number of steps fits
    Finding& found = Report(facts, *loop.call, choice, sink);
    if (choice && choice->saved() < choice->now * kMinGain) {
      found.too_small = kLittleOfStep;
    }
  }
}

}  // namespace

TW_RULE(HL008)

}  // namespace tilewise::HL008
