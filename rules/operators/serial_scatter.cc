// Flags scatters that say nothing of their indices, so that updates are applied
// one after the other.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "rules/cpp/written_layers.h"
#include "rules/host_loop/step_code.h"
#include "rules/operators/source.h"
#include "rules/rewrites.h"
#include "workload/blocks.h"

namespace tilewise::OP009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP009",
    .name = "serial-scatter",
    .fix = Applicability::kShow,
    .needs = {.model = true, .or_cpp = true},
    .summary = "a scatter applies its updates one by one",
    .no_saving = "what the order of the indices could be is not in the graph",
    .doc = R"(
What: a scatter (.at[].add, tensor_scatter_nd_add, unsorted_segment_sum) of at
least min-indices updates and min-share of the step whose indices are promised
to be neither unique nor sorted; or a loop that the compiler made of a scatter.
In C++ of which no model was read: xla::Scatter() that promises neither, scatters
of LibTorch and TensorFlow that add, and a loop of XLA whose body writes one slice a
round and multiplies no matrices (information).
Why: two updates of one row must not overlap, so the compiler sorts them
first or applies them in turn, each a read and a write of a few bytes. Indices of
several components are not sorted: each update waits for the one before it.
Remedy: after a sort, compare with the value at the cut instead of scattering
back; unique_indices=True where no index comes twice; sort the indices once and
indices_are_sorted=True; segment_sum of sorted ids; or a matmul with a one-hot
matrix where the dim that is added to is short.
Ignore: few updates.
Numbers: the simulated kernels of the scatter.
Sources: openxla/xla#12982, pytorch/xla#8720.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the scatter has to take"},
                   {"min-indices", 128, "updates up to which a scatter is left alone"},
                   {"max-depth", 2048, "longest dim that a one-hot matrix is advised for"}},
};

// Updates that the op writes; 0 for other ops.
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

// Whether values of `id` are the positions that a sort found them at: its second
// result, reshaped, converted or joined with counters.
bool IsOrderOfSort(const Graph& graph, OpId id, int depth = 0) {
  constexpr int kMostMoves = 8;
  const Op& op = graph.op(id);
  switch (op.kind) {
    case OpKind::kSort: {
      const size_t result = op.as<SortAttrs>().result;
      if (result == 0 || result >= op.operands.size()) return false;
      OpId counted = op.operands[result];
      while (graph.op(counted).kind == OpKind::kBroadcast ||
             graph.op(counted).kind == OpKind::kReshape) {
        counted = graph.op(counted).operands[0];
      }
      return graph.op(counted).kind == OpKind::kIota;
    }
    case OpKind::kTopK:
      return op.as<TopKAttrs>().result == 1;
    case OpKind::kReshape:
    case OpKind::kConvert:
    case OpKind::kConcatenate:
    case OpKind::kTranspose:
    case OpKind::kSelect:
    case OpKind::kAdd:
      break;
    default:
      return false;
  }
  if (depth > kMostMoves) return false;
  return std::ranges::any_of(
      op.operands, [&](OpId operand) { return IsOrderOfSort(graph, operand, depth + 1); });
}

std::string SortedBackText() {
  return "do not scatter back what a sort took apart: take the value where the cut is from the "
         "sorted ones (the k-th, or the last within the sum) and compare the unsorted ones with it "
         "(jnp.where(logits < cut, -inf, logits)); or gather with the inverse order instead "
         "(argsort "
         "of the indices); else state unique_indices=True, which the order of a sort is";
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
  const bool sorted_back =
      op.kind == OpKind::kScatterSlices && IsOrderOfSort(graph, op.operands[1]);
  found.fix.text = sorted_back ? SortedBackText() : FixText(depth);
  if (!depth || sorted_back) return;
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

// Whether the argument at `position` says something else than no.
bool Promises(const SourceCall& call, size_t position) {
  return position < call.arguments.size() && !IsFalse(call.arguments[position]);
}

// What XLA's Scatter() promises of its indices comes behind the dimension numbers.
bool ScattersOpenly(const SourceCall& call) {
  constexpr size_t kSorted = 5;
  constexpr size_t kUnique = 6;
  return call.name == "xla.Scatter" && !Promises(call, kSorted) && !Promises(call, kUnique);
}

// index_add_() and the like of LibTorch, which have no such promise.
bool AddsByIndex(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  if (name == "index_put_" || name == "index_put") {
    constexpr size_t kAccumulate = 2;
    return !call.receiver.empty() && Promises(call, kAccumulate);
  }
  return IsOneOfWords(name, "index_add_|index_add|scatter_add_|scatter_add") &&
         (!call.receiver.empty() || call.name.starts_with("torch."));
}

constexpr std::string_view kAddingOps =
    "tensorflow.tensor_scatter_nd_add|tensorflow.ops.ScatterNdAdd|tensorflow.ops.ScatterAdd|"
    "tensorflow.math.unsorted_segment_sum";

// The function or lambda that a loop of XLA gets as its body; -1: it is not written there.
int32_t BodyOf(const SourceFacts& source, const SourceCall& loop) {
  for (size_t i = 0; i < source.contexts.size(); ++i) {
    const SourceContext& body = source.contexts[i];
    if (body.kind != ContextKind::kLambda && body.kind != ContextKind::kFunction) continue;
    const bool given =
        body.call >= 0 && &source.calls[body.call] == &loop && body.kind == ContextKind::kLambda;
    const bool named = !body.name.empty() &&
                       std::ranges::any_of(loop.arguments, [&](const SourceArgument& argument) {
                         return argument.name == body.name || argument.text == body.name;
                       });
    const auto index = static_cast<int32_t>(i);
    const auto writes = [&](const SourceCall& call) {
      return call.name == "xla.DynamicUpdateSlice" && IsInside(source, call.context, index);
    };
    if ((given || named) && std::ranges::any_of(source.calls, writes)) return index;
  }
  return -1;
}

bool MultipliesIn(const SourceFacts& source, int32_t body) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return IsInside(source, call.context, body) &&
           (call.name.starts_with("xla.Dot") || call.name.starts_with("xla.Conv")) &&
           call.name != "xla.ConvertElementType";
  });
}

void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const StepCode code(source);
  for (const SourceCall& call : source.calls) {
    const bool loops = IsOneOfWords(call.name, "xla.WhileLoopHelper|xla.ForEachIndex");
    const int32_t body = loops ? BodyOf(source, call) : -1;
    if (body >= 0 && !MultipliesIn(source, body)) {
      Finding& found = sink.Report(
          call.location,
          "the loop of {}() writes one slice in each round, and the rounds run one after the "
          "other; expected ops on all slices at once",
          LastName(call.name));
      found.severity = Severity::kInfo;
      found.cost.unknown = kNoStepInCpp;
      found.no_change = kNoStepInCpp;
      found.fix.text =
          "compute all slices at once with batched ops, a ReduceWindow or one Gather and Scatter, "
          "where no round needs the one before";
      continue;
    }
    const bool adds = AddsByIndex(call) && code.At(call.context) == StepCodeKind::kTorch;
    if (!ScattersOpenly(call) && !adds && !IsOneOfWords(call.name, kAddingOps)) continue;
    Finding& found = sink.Report(
        call.location,
        "{}() scatters with indices of which nothing is promised, expected unique or sorted ones",
        LastName(call.name));
    found.severity = Severity::kInfo;
    found.cost.unknown = kNoStepInCpp;
    found.no_change = kNoStepInCpp;
    found.fix.text = ScattersOpenly(call)
                         ? "pass unique_indices=true where no index comes twice, or sort the "
                           "indices and pass indices_are_sorted=true"
                         : "sort the indices first, or multiply their one-hot matrix with the "
                           "updates where few rows are added to";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return CheckCalls(facts, sink);
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
