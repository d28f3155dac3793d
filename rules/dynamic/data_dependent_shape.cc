// Flags ops whose result is as large as the values say: a compiled program has
// no such shapes.

#include <algorithm>
#include <array>

#include "rules/operators/source.h"

namespace tilewise::DY003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY003",
    .name = "data-dependent-shape",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .summary = "the size of a result depends on values",
    .doc = R"(
What: tf.where with a condition alone, unique, boolean_mask, dynamic_partition,
nonzero, non-max suppression without a fixed number of boxes, sizes that the
program itself computes: in a graph, or as a call in code that runs in every
step.
Why: XLA lays out and schedules for sizes that are known when it compiles. An
op whose result grows with its values is refused, or runs at its largest size
with a mask, or on the host; frameworks that trace compile again for every size
that comes.
Remedy: where with a mask of fixed shape, top_k of a fixed k, size= or
max_output_size with padding.
Ignore: results that are only summed up to a scalar: they are not reported.
Numbers: none: how large the result is depends on the data.
Sources: tensorflow#122057, the troubleshooting guide of PyTorch/XLA.)",
};

struct SizedByData {
  std::string_view name;
  size_t most_arguments;  // with more it is another function; 0: any number
};
constexpr std::array kCalls = {
    SizedByData{"boolean_mask", 0},
    SizedByData{"where", 1},
    SizedByData{"unique", 0},
    SizedByData{"nonzero", 0},
    SizedByData{"argwhere", 0},
    SizedByData{"flatnonzero", 0},
    SizedByData{"masked_select", 0},
    SizedByData{"dynamic_partition", 0},
    SizedByData{"unique_with_counts", 0},
};

std::string_view Advice() {
  return "use a mask of fixed shape (where with both branches), top_k of a fixed k, or a padded "
         "result of fixed size";
}

bool IsScalarReduce(const Op& op) { return op.kind == OpKind::kReduce && op.shape.rank() == 0; }

// Whether all that is made of the op ends in sums of one number.
bool OnlyCounted(const Facts& facts, const SourceOp& source) {
  const Graph& graph = *facts.source;
  std::vector<bool> from(graph.size(), false);
  bool any = false;
  for (OpId id = source.first; id < std::min(source.end, OpId(graph.size())); ++id) {
    from[id] = true;
    any = true;
  }
  if (!any) return false;
  for (const Output& output : graph.outputs()) {
    if (from[output.value]) return false;
  }
  bool counted = false;
  for (OpId id = source.end; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    const bool reached =
        std::ranges::any_of(op.operands, [&from](OpId operand) { return from[operand]; });
    if (!reached) continue;
    if (IsScalarReduce(op)) {
      counted = true;
      continue;
    }
    const bool passes_on = ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kReshape;
    if (!passes_on) return false;
    from[id] = true;
  }
  return counted;
}

void Report(const Facts& facts, const SourceOp& op, Sink& sink) {
  if (facts.source != nullptr && OnlyCounted(facts, op)) return;
  Finding& found = sink.Report(op.location,
                               "how large the result of {} is depends on values, expected a shape "
                               "that is known before the program runs",
                               NameOfSource(op));
  found.cost.unknown = "how large it gets depends on the data";
  found.fix.text = Advice();
}

bool IsSizedByData(const SourceCall& call) {
  const auto* const row = std::ranges::find_if(
      kCalls, [&call](const SizedByData& candidate) { return IsCallOf(call, candidate.name); });
  if (row == kCalls.end()) return false;
  const bool fixed = std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
    return argument.keyword == "size" || argument.keyword == "max_output_size";
  });
  if (fixed || call.open) return false;
  return row->most_arguments == 0 || call.arguments.size() <= row->most_arguments;
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (!IsSizedByData(call) || !RunsInStep(facts, call)) continue;
    Finding& found = sink.Report(call.location,
                                 "how large the result of {} in {} is depends on values, expected "
                                 "a shape that is known before the program runs",
                                 call.name, CallerOf(call));
    found.cost.unknown = "how large it gets depends on the data";
    found.fix.text = Advice();
  }
}

void Check(const Facts& facts, Sink& sink) {
  for (const SourceOp& op : facts.workload.module.ops) {
    if (op.trait == OpTrait::kDataDependentShape) Report(facts, op, sink);
  }
  CheckCalls(facts, sink);
}

}  // namespace

TW_RULE(DY003)

}  // namespace tilewise::DY003
