// Flags steps_per_execution in a form that the Keras in use does not take.

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/host_loop/execution_ladder.h"
#include "rules/rule.h"
#include "workload/blocks.h"
#include "workload/versions.h"

namespace tilewise::HL005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL005",
    .name = "spe-backend-mismatch",
    .fix = Applicability::kShow,
    .summary = "this Keras or its backend does not take the given steps_per_execution",
    .no_cost = "what this release does with it was not simulated",
    .doc = R"(
What: steps_per_execution="auto" with Keras 3; more than 1 on the torch
backend; more than 1 on the JAX backend of a Keras that loops on the host; the
name experimental_steps_per_execution with TensorFlow 2.4 or later, or the name
without the prefix with TensorFlow 2.3; more than 1 under a strategy for GPUs or
CPUs (MirroredStrategy, OneDeviceStrategy ..) in a program without a TPUStrategy.
Why: Keras 3 takes a number only. The torch backend refuses more than one
step, the JAX backend dispatched each step by itself until it got a scan on
the device (keras#23527), so the number changed the callbacks and gained
little. The prefix was dropped in TensorFlow 2.4. On GPUs a start of a step is cheap
and ahead of the device, so that the setting gains nothing and callbacks still
see every N-th batch alone.
Remedy: a number; the other backend or a later release; the new name; 1 without
TPUs.
Ignore: when the program runs on more releases than its text says. Where the
text does not tell the release the finding is info.
Sources: Keras trainers, keras#20411, keras#23527, tf_keras's tuner of
steps_per_execution.)",
};

constexpr std::string_view kPrefix = "experimental_";

Location LocationOfSteps(const Facts& facts) {
  const HostLoop& host = facts.workload.host_loop;
  return host.steps_per_execution_location.known() ? host.steps_per_execution_location
                                                   : host.compile;
}

// Drops or adds the prefix of the keyword in compile().
std::vector<TextEdit> Rename(const Facts& facts, bool drop) {
  const Span& arguments = facts.workload.host_loop.compile_arguments;
  const std::string_view text = TextOf(facts.workload, arguments);
  const size_t at = text.find(drop ? "experimental_steps_per_execution" : "steps_per_execution");
  if (at == std::string_view::npos) return {};
  Span span = arguments;
  span.begin += static_cast<int64_t>(at);
  span.end = span.begin + (drop ? static_cast<int64_t>(kPrefix.size()) : 0);
  return {{span, drop ? "" : std::string(kPrefix)}};
}

void CheckName(const Facts& facts, const SourceCall& compile, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const bool old_name =
      ArgumentOf(compile.arguments, "experimental_steps_per_execution") != nullptr;
  const bool old_release = StepsPerExecutionKeyword(source).starts_with(kPrefix);
  if (old_name == old_release) return;
  Finding& found =
      sink.Report(LocationOfSteps(facts),
                  old_name ? "experimental_steps_per_execution was renamed in TensorFlow 2.4, "
                             "expected steps_per_execution"
                           : "steps_per_execution is called experimental_steps_per_execution in "
                             "TensorFlow 2.3, which this program asks for");
  found.fix.text = old_name ? "rename the argument to steps_per_execution"
                            : "rename the argument to experimental_steps_per_execution, or ask for "
                              "TensorFlow 2.4 or later";
  found.fix.edits = Rename(facts, old_name);
}

void CheckBackend(const Facts& facts, const KerasFlavour& keras, Sink& sink) {
  constexpr Release kScan = {3, 16};
  const Count& steps = facts.workload.host_loop.steps_per_execution;
  if (steps.kind != Count::Kind::kValue || steps.value < 2) return;
  if (keras.backend == KerasBackend::kTorch) {
    Finding& found = sink.Report(
        LocationOfSteps(facts),
        "steps_per_execution is {} on the torch backend of Keras, which takes only 1", steps.value);
    found.fix.text = "leave steps_per_execution at 1, or train on the TensorFlow backend";
  } else if (keras.backend == KerasBackend::kJax) {
    const auto oldest = OldestRelease(facts.workload.facts, "keras");
    const auto newest = NewestRelease(facts.workload.facts, "keras");
    if (oldest && *oldest >= kScan) return;
    Finding& found =
        sink.Report(LocationOfSteps(facts),
                    "steps_per_execution is {} on the JAX backend, which dispatches every step "
                    "from the host before Keras 3.16; expected a release that scans on the device",
                    steps.value);
    if (!newest || *newest >= kScan) found.severity = Severity::kInfo;
    found.fix.text = "ask for keras>=3.16, or keep steps_per_execution at 1";
  }
}

void CheckStrategy(const Facts& facts, Sink& sink) {
  const Count& steps = facts.workload.host_loop.steps_per_execution;
  if (steps.kind != Count::Kind::kValue || steps.value < 2) return;
  const std::string_view strategy = StrategyWithoutTpus(facts);
  if (strategy.empty()) return;
  Finding& found = sink.Report(
      LocationOfSteps(facts),
      "steps_per_execution is {} under {}, where it gains nothing: it is a setting for TPUs, and "
      "callbacks still see every {}th batch alone",
      steps.value, strategy, steps.value);
  found.severity = Severity::kInfo;
  found.fix.text = "leave steps_per_execution at 1 where no TPU runs the program";
}

void Check(const Facts& facts, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const SourceCall* compile = CallAt(facts.workload.facts, host.compile);
  if (compile == nullptr || !host.steps_per_execution.present()) return;
  const KerasFlavour keras = KerasOf(facts.workload.facts);
  if (host.steps_per_execution.kind == Count::Kind::kAutotune) {
    if (keras.generation == KerasGeneration::k2) return;
    Finding& found = sink.Report(
        LocationOfSteps(facts),
        "steps_per_execution is \"auto\", which Keras 3 does not take; expected a number");
    if (keras.generation == KerasGeneration::kUnknown) {
      found.severity = Severity::kInfo;
    }
    found.fix.text = "pass a number of steps, as `tilewise tune` finds it";
    return;
  }
  if (keras.generation != KerasGeneration::k3 || !keras.backend_stated) {
    CheckName(facts, *compile, sink);
  }
  CheckBackend(facts, keras, sink);
  CheckStrategy(facts, sink);
}

}  // namespace

TW_RULE(HL005)

}  // namespace tilewise::HL005
