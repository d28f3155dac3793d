// Flags training steps that return large arrays besides their state.

#include <algorithm>

#include "rules/memory/step_results.h"

namespace tilewise::ME005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME005",
    .name = "fat-step-output",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.graph = true},
    .summary = "a training step returns logits or activations",
    .no_saving = "who reads the results is not in the files",
    .doc = R"(
What: results of a training step that are neither losses nor new state, more
than min-mib MiB per core.
Why: a result cannot share memory with anything that lives in the step, so it
is held from the time it is made, for as long as the caller keeps it; logits of
every token are often the largest array of the model. Results that are fetched
cross the host link as well.
Remedy: reduce on the device and return scalars: accuracy instead of logits.
Ignore: evaluation and prediction, whose results are wanted.
Numbers: bytes, without padding, of the results of one step.
Sources: pytorch/xla#1735 (5 GB of outputs).)",
    .thresholds = {{"min-mib", 256, "MiB that a step may return beside its state"}},
};

void Check(const Facts& facts, Sink& sink) {
  if (facts.workload.step != StepKind::kTrainingStep) return;
  const StepResults results = ResultsOf(facts);
  const auto [total, largest] = TotalOf(facts, results.other);
  const auto least = sink.threshold("min-mib") * (1 << 20);
  if (largest == kNoOp || static_cast<double>(total.value) <= least) return;
  const Op& op = facts.source->op(largest);
  Finding& found = sink.ReportOp(
      largest,
      "the training step returns {} beside its state, the largest array {} {}, expected scalars",
      FormatBytes(total), op.name, FormatShape(op.shape));
  found.cost.bytes = total;
  found.fix.text =
      "reduce it on the device and return scalars, such as the accuracy instead of the logits";
}

}  // namespace

TW_RULE(ME005)

}  // namespace tilewise::ME005
