// Flags scatters that say nothing of their indices, so that updates are applied
// one after the other.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "rules/operators/source.h"
#include "rules/rewrites.h"

namespace tilewise::OP009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP009",
    .name = "serial-scatter",
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "a scatter applies its updates one by one",
    .no_saving = "what the order of the indices could be is not in the graph",
    .doc = R"(
What: a scatter (.at[].add, tensor_scatter_nd_add, unsorted_segment_sum) of at
least min-indices updates and min-share of the step whose indices are promised
to be neither unique nor sorted; or a loop that the compiler made of a scatter.
Why: two updates of one row must not overlap, so the compiler sorts them
first or applies them in turn, each a read and a write of a few bytes.
Remedy: unique_indices=True where no index comes twice; sort the indices once
and indices_are_sorted=True; segment_sum of sorted ids; or a matmul with a
one-hot matrix where the dim that is added to is short.
Ignore: few updates.
Numbers: the simulated kernels of the scatter.
Sources: openxla/xla#12982, pytorch/xla#8720.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the scatter has to take"},
                   {"min-indices", 128, "updates up to which a scatter is left alone"},
                   {"max-depth", 2048, "longest dim that a one-hot matrix is advised for"}},
};

// Places in the indices; 0 for other ops.
int64_t UpdatesOf(const Graph& graph, const Op& op) {
  if (op.kind == OpKind::kScatterAdd) {
    return graph.operand(op, 0).shape.elements();
  }
  if (op.kind != OpKind::kScatterSlices) return 0;
  const Shape& indices = graph.operand(op, 1).shape;
  const int64_t dim = op.as<SlicesAttrs>().index_dim;
  const int64_t components = dim < indices.rank() ? indices.size(dim) : 1;
  return indices.elements() / std::max<int64_t>(1, components);
}

std::string FixText(std::optional<int64_t> depth) {
  std::string flags =
      "state unique_indices=True where no index comes twice, or sort the indices and state "
      "indices_are_sorted=True";
  if (!depth) return flags;
  return fmt::format("multiply the one-hot matrix of the indices ({} rows) with the updates; or {}",
                     FormatCount(*depth), flags);
}

void CheckScatter(const Facts& facts, const Op& op, Sink& sink) {
  const Graph& graph = *facts.source;
  const int64_t updates = UpdatesOf(graph, op);
  if (static_cast<double>(updates) <= sink.threshold("min-indices")) return;
  const auto& all = facts.workload.module.index_flags;
  const auto flags = all.find(op.id);
  if (flags != all.end() && (flags->second.unique || flags->second.sorted)) {
    return;
  }
  const Seconds time = facts.TimeOf(op.id);
  if (time < facts.StepTime() * sink.threshold("min-share")) return;
  std::optional<int64_t> depth = OneHotDepth(graph, op);
  if (depth && static_cast<double>(*depth) > sink.threshold("max-depth")) {
    depth.reset();
  }
  Finding& found = sink.ReportOp(
      op.id,
      "{} updates are scattered into {} with indices of which nothing is promised: {} a step "
      "(simulated on {}), expected unique or sorted ones",
      FormatCount(updates), FormatShape(op.shape), FormatSeconds(time), facts.target.chip.name);
  found.cost = DeviceCost(facts, time);
  found.fix.text = FixText(depth);
  if (!depth) return;
  found.change.replace[op.id] = OneHotMatmul;
}

void CheckLoop(const Facts& facts, const SourceOp& op, Sink& sink) {
  const Seconds time = TimeOfSource(facts, op);
  if (time < facts.StepTime() * sink.threshold("min-share")) return;
  int64_t trips = 1;
  for (OpId id = op.first; id < std::min(op.end, OpId(facts.source->size())); ++id) {
    trips = std::max(trips, facts.source->op(id).loop.trip_count);
  }
  if (static_cast<double>(trips) < sink.threshold("min-indices")) return;
  Finding& found = sink.Report(op.location,
                               "a scatter became a loop of {} iterations, one update each: {} a "
                               "step (simulated on {}), expected one kernel",
                               FormatCount(trips), FormatSeconds(time), facts.target.chip.name);
  found.cost = DeviceCost(facts, time);
  found.fix.text = FixText(std::nullopt);
}

void Check(const Facts& facts, Sink& sink) {
  for (const Op& op : facts.source->ops()) {
    if (op.kind == OpKind::kScatterAdd || op.kind == OpKind::kScatterSlices) {
      CheckScatter(facts, op, sink);
    }
  }
  for (const SourceOp& op : facts.workload.module.ops) {
    if (op.trait == OpTrait::kScatterLoop) CheckLoop(facts, op, sink);
  }
}

}  // namespace

TW_RULE(OP009)

}  // namespace tilewise::OP009
