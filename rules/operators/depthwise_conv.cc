// Flags depthwise convolutions that take far more time than their FLOPs say.

#include <optional>

#include <fmt/format.h>

#include "advice/saving.h"
#include "rules/operators/fused_block.h"
#include "rules/rule.h"
#include "session/matrix_use.h"

namespace tilewise::OP002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP002",
    .name = "depthwise-or-separable-conv",
    .severity = Severity::kWarning,
    .fix = Applicability::kNone,
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "a depthwise convolution takes more time than its FLOPs",
    .no_saving = "no expansion that it could be fused with stands before it",
    .doc = R"(
What: a depthwise convolution (also inside a separable one) with at least 5 %
of the step's time and less than half of that in its share of the FLOPs.
Why: it has one input channel per group, so there is nothing to contract over:
the matrix unit works one row deep, or the work goes to the vector unit.
Remedy: in early stages use one regular 3x3 convolution in place of the 1x1
expansion and the depthwise one (a fused block); it has more FLOPs and less time.
Ignore: when the simulated share is small: compilers handle many cases well, so
this rule asks the simulator, not the layer's name.
Sources: Cloud TPU function notes, AlexeyAB/darknet#4914.)",
};

constexpr double kMinShare = 0.05;
constexpr double kTimeOverFlops = 2;

void Check(const Facts& facts, Sink& sink) {
  const MatrixUse step = MatrixUseOfStep(facts);
  for (const Op& op : facts.source->ops()) {
    if (op.kind != OpKind::kConvolution || op.as<ConvAttrs>().groups <= 1) continue;
    const Shape& kernel = facts.source->operand(op, 1).shape;
    if (kernel.size(kernel.rank() - 2) != 1) continue;  // channels per group
    const double share = facts.ShareOf(op.id);
    const double useful = MatrixUseOf(facts, op.id).useful_flops;
    const double flops = step.useful_flops > 0 ? useful / step.useful_flops : 0;
    if (share < kMinShare || share < kTimeOverFlops * flops) continue;
    const Change block = FusedBlock(*facts.source, op);
    const std::optional<Saving> saving = block.empty() ? std::nullopt : SavingAlone(facts, block);
    if (saving && saving->time_per_step <= Seconds{}) continue;
    Finding& found = sink.Report(
        op.location, fmt::format("depthwise convolution of {} channels takes {} of the step "
                                 "for {} of its matrix FLOPs, expected the shares to be "
                                 "alike",
                                 FormatCount(op.as<ConvAttrs>().groups), FormatPercent(share),
                                 FormatPercent(flops)));
    found.cost.time_per_step = facts.TimeOf(op.id);
    found.cost.share_of_step = share;
    found.change = block;
    found.saving = saving;
    found.fix.text =
        "use a regular convolution of the same window for the expansion and "
        "depthwise pair, at least in the early stages";
  }
}

}  // namespace

TW_RULE(OP002)

}  // namespace tilewise::OP002
