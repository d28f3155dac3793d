// Flags max pooling in training when its gradient costs a visible share.

#include <fmt/format.h>

#include "edit/layer.h"
#include "library/windows.h"
#include "rules/rule.h"

namespace tilewise::OP001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP001",
    .name = "max-pool-grad",
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true, .training = true},
    .summary = "the gradient of max pooling searches every window again",
    .doc = R"(
What: a max pooling layer whose gradient takes at least 1 % of the step.
Why: the gradient is a select-and-scatter: it finds the maximum of each window
again and scatters one value into it, on the vector unit, with the forward
input read once more. Average pooling spreads the gradient without a search.
Remedy: AveragePooling2D, or stride 2 in the convolution before it. The model
changes, so compare accuracy.
Ignore: inference, and models whose accuracy depends on max pooling.
Sources: Cloud TPU performance guide and function notes.)",
};

constexpr double kMinShare = 0.01;

Seconds GradientTime(const Facts& facts, OpId op) {
  Seconds total;
  for (const KernelId i : facts.model->KernelsOf(op)) {
    const Kernel& kernel = facts.model->program.kernels[i];
    if (kernel.phase == Phase::kBackward) {
      total += facts.model->spans[i].duration;
    }
  }
  return total;
}

std::string WindowText(const Op& op) {
  std::string text;
  for (const WindowDim& dim : op.as<PoolAttrs>().window) {
    text += fmt::format("{}{}", text.empty() ? "" : " x ", dim.size);
  }
  return text;
}

// The mean of each window; what lies in its padding counts as zero.
OpId MeanOfWindows(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  return AveragePool(builder, operands[0], op.as<PoolAttrs>().window,
                     op.as<PoolAttrs>().channels_first,
                     /*count_padding=*/true);
}

void Check(const Facts& facts, Sink& sink) {
  for (const Op& op : facts.source->ops()) {
    if (op.kind != OpKind::kReduceWindow) continue;
    if (op.as<PoolAttrs>().reducer != Reducer::kMax) continue;
    const Seconds gradient = GradientTime(facts, op.id);
    const double share = gradient / facts.StepTime();
    if (share < kMinShare) continue;
    Finding& found = sink.Report(
        op.location,
        "the gradient of {} max pooling takes {} a step (simulated on {}), expected under {} of it",
        WindowText(op), FormatSeconds(gradient), facts.target.chip.name, FormatPercent(kMinShare));
    found.cost = DeviceCost(facts, gradient);
    found.change.replace[op.id] = MeanOfWindows;
    found.fix.edits = PoolByAverage(facts.workload, op.location);
    found.fix.text =
        "replace it by average pooling, or by stride 2 in the convolution before it, and compare "
        "accuracy";
  }
}

}  // namespace

TW_RULE(OP001)

}  // namespace tilewise::OP001
