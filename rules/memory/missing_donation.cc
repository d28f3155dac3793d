// Flags training steps that return their new state beside the old one instead
// of writing over it.

#include <fmt/format.h>

#include "rules/memory/script_state.h"
#include "rules/memory/step_results.h"

namespace tilewise::ME002 {
namespace {

constexpr Threshold kThresholds[] = {
    {"min-hbm-share", 0.05, "share of a core's HBM that is held twice"},
};

constexpr RuleInfo kInfo = {
    .id = "ME002",
    .name = "missing-donation",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .summary = "the old state is kept while the step returns the new one",
    .no_saving = "which buffer a result takes is no part of the graph that is simulated",
    .doc = R"(
What: arguments of a compiled training step for which it returns an array of the
same shape without writing it over the argument (no input_output_alias, no
donated buffer), together at least min-hbm-share of the HBM of a core.
Why: weights and optimizer state are in HBM twice while the step runs, so the
largest batch is smaller than it could be. A donated argument is written over.
Remedy: donate the state: jax.jit(step, donate_argnums=(0,)), or an alias set up
in the module.
Ignore: inference, and steps whose caller still reads the old state (averages,
a step that is tried and taken back): a donated array cannot be read again.
Numbers: bytes, without padding, of the arguments that have a result of their shape.
Sources: jax#2936, elegy#226 (about a third of the memory).)",
    .thresholds = kThresholds,
};

Bytes SizeOf(const Facts& facts, OpId op) { return facts.source->op(op).shape.unpadded_bytes(); }

// Evidence in the compiled program.
void CheckModule(const Facts& facts, Sink& sink) {
  if (facts.source == nullptr || !facts.workload.module.states_aliases) return;
  if (facts.workload.step != StepKind::kTrainingStep) return;
  const StepResults results = ResultsOf(facts);
  Bytes total;
  OpId largest = kNoOp;
  for (const auto& [argument, result] : results.kept) {
    const Bytes size = SizeOf(facts, argument);
    total += size;
    if (largest == kNoOp || size > SizeOf(facts, largest)) {
      largest = argument;
    }
  }
  const Bytes hbm = facts.target.chip.usable_hbm();
  const double share = static_cast<double>(total.value) / static_cast<double>(hbm.value);
  if (largest == kNoOp || share < sink.threshold("min-hbm-share")) return;
  const Op& op = facts.source->op(largest);
  Finding& found =
      sink.ReportOp(*facts.source, largest, -1,
                    fmt::format("{} arguments of the step are kept although it returns new "
                                "ones of their shapes, the largest {} {}: {} of {} HBM held "
                                "twice, expected results written over them",
                                FormatCount(static_cast<int64_t>(results.kept.size())), op.name,
                                FormatShape(op.shape), FormatBytes(total), FormatBytes(hbm)));
  found.cost.bytes = total;
  found.fix.text =
      "donate the state to the step: jax.jit(step, donate_argnums=...) or an "
      "input_output_alias of the module";
}

void Check(const Facts& facts, Sink& sink) {
  CheckModule(facts, sink);
  ReportUndonatedState(facts, sink);
}

}  // namespace

TW_RULE(ME002)

}  // namespace tilewise::ME002
