// Flags gradients that cross the interconnect in four bytes each.

#include <algorithm>

#include "advice/locations.h"
#include "rules/rule.h"

namespace tilewise::DI002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI002",
    .name = "f32-gradient-reduce",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "gradients are summed over the devices as float32",
    .no_saving = "the type of the sums of gradients is no part of the graph that is changed",
    .doc = R"(
What: all-reduces or reduce-scatters of float32 arrays of min-elements or more
in a training step, for which the step waits at least min-share of its time.
Why: the interconnect moves bytes. The gradients of bfloat16 layers are summed
as float32 where the cast back to the weights' type comes before the sum.
Remedy: sum in bfloat16 and cast afterwards, and accumulate in float32 only.
Ignore: where training diverges with it; losses and metrics are small and are
not counted.
Numbers: half of the time that the step waits for these collectives.
Sources: xprof's advice on steps bound by collectives.)",
    .thresholds = {{"min-share", 0.02, "share of the step that waits for these reductions"},
                   {"min-us", 100, "microseconds of waiting below which nothing is said"},
                   {"min-elements", 65536, "elements from which on an operand is a gradient"}},
};

struct Reduces {
  Seconds time;
  Bytes bytes;
  int64_t count = 0;
  OpId largest = kNoOp;  // of the model
  Bytes largest_bytes;
};

Reduces F32Reduces(const Facts& facts, double min_elements) {
  Reduces found;
  const Program& program = facts.model->program;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    if (kernel.kind != KernelKind::kCollective || kernel.root == kNoOp) {
      continue;
    }
    const Op& op = program.graph.op(kernel.root);
    const bool reduces = op.kind == OpKind::kAllReduce || op.kind == OpKind::kReduceScatter;
    const Shape& operand = program.graph.operand(op, 0).shape;
    if (!reduces || operand.dtype != DType::kF32 ||
        static_cast<double>(operand.elements()) < min_elements) {
      continue;
    }
    ++found.count;
    found.time += facts.model->spans[i].duration;
    found.bytes += operand.unpadded_bytes();
    if (kernel.origin == kNoOp || operand.unpadded_bytes() <= found.largest_bytes) {
      continue;
    }
    found.largest = kernel.origin;
    found.largest_bytes = operand.unpadded_bytes();
  }
  return found;
}

Location LocationOf(const Facts& facts, const Reduces& reduces) {
  if (reduces.largest != kNoOp && reduces.largest < facts.source->size()) {
    const Location& location = facts.source->op(reduces.largest).location;
    if (location.known()) return location;
  }
  return LocationOfModel(facts);
}

void Check(const Facts& facts, Sink& sink) {
  if (!facts.training && facts.workload.step != StepKind::kTrainingStep) return;
  const Reduces reduces = F32Reduces(facts, sink.threshold("min-elements"));
  if (reduces.count == 0) return;
  // Half of the bytes are half of the time, where the step waits for it.
  const Seconds waits = std::min(reduces.time, facts.model->timeline.exposed_collective);
  const Seconds cost = waits * 0.5;
  if (waits < facts.StepTime() * sink.threshold("min-share") ||
      waits.value * 1e6 < sink.threshold("min-us")) {
    return;
  }
  Finding& found = sink.Report(LocationOf(facts, reduces),
                               "{} reductions of {} gradients in f32 keep the step waiting for {} "
                               "(simulated on {}), expected bf16, half of the bytes",
                               FormatCount(reduces.count), FormatBytes(reduces.bytes),
                               FormatSeconds(waits), facts.target.description());
  found.cost = DeviceCost(facts, cost);
  found.fix.text =
      "sum the gradients over the devices in bfloat16, and cast to float32 for the update";
}

}  // namespace

TW_RULE(DI002)

}  // namespace tilewise::DI002
