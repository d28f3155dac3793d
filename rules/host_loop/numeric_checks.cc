// Flags searches for NaN that a framework makes in every step.

#include <string_view>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/host_loop/state_bytes.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL015 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL015",
    .name = "numeric-checks",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "the framework looks for NaN in every step",
    .no_saving = "what the checks take beside their transfers is not known",
    .no_cost = "how many values are checked is not in the files",
    .doc = R"(
What: jax_debug_nans or jax_debug_infs set to True, in the program or by the
environment; torch.autograd.set_detect_anomaly(True), detect_anomaly() and
Trainer(detect_anomaly=True); tf.debugging.enable_check_numerics() under a TPU
strategy.
Why: JAX fetches every float array that a compiled call returns, weights and
optimizer state among them, and searches it on the host, so no step is
dispatched ahead. PyTorch reads back a flag for each gradient, and PyTorch/XLA
has to compile and run what it traced up to each. TensorFlow puts a check behind
every op, which reads its result again and keeps it from being fused.
Remedy: switch the checks on for a run that looks for a NaN; for training, test
the loss alone, every N steps (jnp.isfinite(loss), which stays on the device).
Ignore: a run that looks for a NaN: a value that is not written as True, or a
condition that speaks of debugging, is taken as that.
Numbers: with a model of JAX that trains, weights and optimizer state of one core
over the link to its host, each step: the least that is fetched.
Sources: JAX's documentation of debug_nans; PyTorch's of anomaly detection;
TensorFlow's of enable_check_numerics.)",
};

bool IsTrue(const SourceArgument* argument) {
  return argument != nullptr && argument->text == "True";
}

// jax.config.update("jax_debug_nans", True), jax.debug_nans(True).
bool ChecksInJax(const SourceCall& call) {
  if (call.name == "jax.debug_nans" || call.name == "jax.debug_infs") {
    return !call.arguments.empty() && IsTrue(&call.arguments[0]);
  }
  if (call.name != "jax.config.update" || call.arguments.size() != 2) return false;
  const auto& option = call.arguments[0].string;
  return (option == "jax_debug_nans" || option == "jax_debug_infs") && IsTrue(&call.arguments[1]);
}

// torch records only the locations of ops without `check_nan`.
bool ChecksInTorch(const SourceCall& call) {
  if (LastName(call.name) == "Trainer") return IsTrue(ArgumentOf(call.arguments, "detect_anomaly"));
  const bool sets = call.name == "torch.autograd.set_detect_anomaly";
  if (!sets && call.name != "torch.autograd.detect_anomaly") return false;
  const SourceArgument* checks = ArgumentOf(call, sets ? 1 : 0, "check_nan");
  return (!sets || IsTrue(ArgumentOf(call, 0, "mode"))) &&
         (checks == nullptr || checks->text == "True");
}

// Weights and state are results of the step, so they are fetched with it. The
// simulated step has no such transfer, so the time is no share of it.
void AddFetches(const Facts& facts, Finding& found) {
  const BytesPerSecond link = facts.target.chip.host_link;
  if (facts.model == nullptr || !facts.training || link.value <= 0) return;
  found.cost.time_per_step = StateBytes(facts) / link;
}

void ReportJax(const Facts& facts, const Location& location, std::string_view what, Sink& sink,
               const SourceCall* call) {
  Finding& found =
      sink.Report(location,
                  "{}: after each compiled call the host waits for it, fetches every float array "
                  "that it returns and searches it; expected it off while training",
                  what);
  found.fix.text =
      "leave it off, and test jnp.isfinite(loss) every N steps; switch it on to look for a NaN";
  AddFetches(facts, found);
  if (call != nullptr && call->statement.begin < call->statement.end) {
    found.fix.edits = RemoveStatement(facts.workload, call->statement);
  }
}

void CheckCall(const Facts& facts, const SourceCall& call, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (Imports(source, "jax") && ChecksInJax(call)) {
    const auto& option = call.arguments[0].string;
    return ReportJax(facts, call.location, fmt::format("{} is on", option.value_or(call.name)),
                     sink, &call);
  }
  if (IsTorch(source) && ChecksInTorch(call)) {
    sink.Report(call.location,
                "anomaly detection is on: each gradient is searched for NaN and the answer read "
                "back, so XLA runs the backward pass in as many programs; expected it off while "
                "training")
        .fix.text = "leave it off, and switch it on for the run that looks for a NaN";
  }
  if (source.tpu_strategy && call.name == "tensorflow.debugging.enable_check_numerics") {
    sink.Report(call.location,
                "a check for NaN and infinity stands behind every op, which reads the result again "
                "and keeps it from being fused; expected none while training")
        .fix.text = "remove the call, and put it back for the run that looks for a NaN";
  }
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall& call : source.calls) {
    if (!IsForDebugging(source, call.context)) CheckCall(facts, call, sink);
  }
  for (const SourceSetting& setting : source.environment) {
    const bool checks = setting.name == "JAX_DEBUG_NANS" || setting.name == "JAX_DEBUG_INFS";
    if (checks && IsOneOfWords(setting.value, "1|True|true|on|yes")) {
      ReportJax(facts, setting.location, fmt::format("{}={}", setting.name, setting.value), sink,
                nullptr);
    }
  }
}

}  // namespace

TW_RULE(HL015)

}  // namespace tilewise::HL015
