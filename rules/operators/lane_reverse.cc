// Flags reversals along the dim in the lanes.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "graph/ops/dims.h"
#include "rules/rule.h"
#include "session/forward_values.h"
#include "sim/lowering/kernels/unit_time.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise::OP013 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP013",
    .name = "lane-reverse",
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "an array is reversed along the dim in the lanes",
    .no_saving = "which dim may be the minor one is for those who read the result to say",
    .doc = R"(
What: a reverse (x[..., ::-1], jnp.flip, tf.reverse, torch.flip, also that of an
irfft) whose dim lies in the lanes, with at least min-share of the step.
Why: no unit turns the 128 lanes of a register round. Each lane moves by another
distance, so a register is rotated once for each of them. Along another dim a
reversal is only other addresses.
Remedy: reverse along a major dim and transpose once, where the data is made or
read; multiply by the anti-diagonal matrix, which the matrix unit does at the
speed of HBM; reverse weights once instead of data in every step.
Ignore: small arrays.
Numbers: the simulated rotations of the reverse, at the layout that the lowering
chose or the file states.
Sources: openxla/xla#23191.)",
    .thresholds = {{"min-share", 0.02, "share of the step that the reverse takes"}},
};

// What the reverse `id` of the lowered graph keeps the vector unit busy for.
Seconds TimeOfReverse(const Facts& facts, const Kernel& kernel, OpId id, size_t index) {
  const Program& program = facts.model->program;
  const OpContext context = {program, facts.target.chip};
  const Seconds alone =
      VectorTime(LowerOp(context, program.graph.op(id)).vector, facts.target.chip) *
      static_cast<double>(kernel.repeat);
  return std::min(alone, facts.model->spans[index].duration);
}

void Report(const Facts& facts, OpId id, Seconds time, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& reverse = program.graph.op(id);
  const int64_t dim = LaneDim(program.layouts[id]);
  Finding& found = sink.ReportOp(
      reverse.origin,
      "the reverse of {} along dim {} = {}, which lies in the lanes, takes {} a step (simulated "
      "on {}): each of {} lanes moves by another distance; expected a reverse along a major dim",
      LaidOut(program, id), dim, FormatCount(reverse.shape.size(dim)), FormatSeconds(time),
      facts.target.chip.name, facts.target.chip.lanes);
  found.cost = DeviceCost(facts, time);
  found.fix.text = fmt::format(
      "multiply by the anti-diagonal matrix of {0} x {0} (jnp.eye({0})[::-1]), put another dim in "
      "the minor position while it is reversed, or reverse what is constant once",
      reverse.shape.size(dim));
}

void Check(const Facts& facts, Sink& sink) {
  const Program& program = facts.model->program;
  const Seconds costly = facts.StepTime() * sink.threshold("min-share");
  std::vector<bool> seen(facts.source->ops().size(), false);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    for (const OpId id : program.kernels[i].ops) {
      const Op& op = program.graph.op(id);
      if (op.kind != OpKind::kReverse || op.phase != Phase::kForward || op.origin == kNoOp)
        continue;
      if (op.shape.rank() == 0 || !HasDim(op.as<DimsAttrs>().dims, LaneDim(program.layouts[id]))) {
        continue;
      }
      const Seconds time = TimeOfReverse(facts, program.kernels[i], id, i);
      if (time < costly || seen[op.origin]) continue;
      seen[op.origin] = true;
      Report(facts, id, time, sink);
    }
  }
}

}  // namespace

TW_RULE(OP013)

}  // namespace tilewise::OP013
