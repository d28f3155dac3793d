// Flags gathers of many small slices that a matmul with a one-hot matrix, or
// longer slices, would do faster.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "rules/cpp/written_layers.h"
#include "rules/operators/source.h"
#include "rules/rewrites.h"
#include "rules/rule.h"
#include "session/time_alone.h"
#include "workload/blocks.h"

namespace tilewise::OP008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP008",
    .name = "gather-by-index",
    .fix = Applicability::kShow,
    .needs = {.model = true, .or_cpp = true},
    .summary = "many small slices are gathered one by one",
    .no_saving = "which dims come last is a choice for all that makes and reads the table",
    .doc = R"(
What: a gather (tf.gather with batch_dims, gather_nd, take_along_axis, x[idx])
that takes at least min-share of the step and either picks along a dim of at
most max-depth, where a matmul with a one-hot matrix is simulated to be
faster, or fetches slices shorter than one burst of HBM. In C++ of which no model
was read: xla::Gather() with written slices that are shorter, TensorFlow's GatherV2
with batch dims (information).
Why: every slice is an address, computed by the scalar unit, and a transfer of
its own; short ones use a fraction of each HBM burst. The matrix unit picks
thousands of rows at once: one_hot(idx) x table.
Remedy: one-hot times the table where the picked dim is short; else gather
slices of whole multiples of 128 elements: put the dim that is not indexed last.
Ignore: large tables with few indices (embeddings): rows are long, and the
one-hot matrix would not fit.
Numbers: gather and matmul simulated by themselves, forward pass; the saving counts the
gradient too.
Sources: tensorflow#80253, transformers#18239, pytorch/xla#898.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the gather has to take"},
                   {"max-depth", 2048, "longest dim that a one-hot matrix is advised for"},
                   {"min-slices", 128, "slices from which on a gather is judged"}},
};

bool IsGather(const Op& op) {
  return (op.kind == OpKind::kGather || op.kind == OpKind::kGatherSlices) &&
         op.phase == Phase::kForward;
}

// Elements of a slice: those of the result for each index.
int64_t SliceElements(const Graph& graph, const Op& op) {
  const Shape& table = graph.operand(op, 0).shape;
  if (op.kind == OpKind::kGather) {
    return table.elements() / std::max<int64_t>(1, table.size(0));
  }
  int64_t elements = 1;
  const std::vector<int64_t>& sizes = op.as<SlicesAttrs>().slice_sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto dim = static_cast<int64_t>(i);
    elements *= sizes[i] == kWholeDim ? table.size(dim) : sizes[i];
  }
  return elements;
}

// The op, or its matmul form, on parameters of the shapes of its operands.
std::optional<Seconds> TimeOfForm(const Facts& facts, const Op& op, bool matmul) {
  return TimeAlone(facts.target, [&](GraphBuilder& builder) {
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) {
      operands.push_back(builder.Parameter(facts.source->op(operand).shape, "x"));
    }
    return matmul ? OneHotMatmul(builder, op, operands) : builder.Clone(op, operands);
  });
}

// Returns by how much the matmul is faster; none when it is not, or cannot be.
// A gather by itself reads its operands from HBM: it counts with no more than
// what it takes in the step.
std::optional<Seconds> Gain(const Facts& facts, const Op& op, double depth) {
  const std::optional<int64_t> length = OneHotDepth(*facts.source, op);
  if (!length || static_cast<double>(*length) > depth) return std::nullopt;
  const auto alone = TimeOfForm(facts, op, false);
  const auto matmul = TimeOfForm(facts, op, true);
  if (!alone || !matmul) return std::nullopt;
  const Seconds gather = std::min(*alone, facts.TimeOf(op.id));
  if (*matmul >= gather) return std::nullopt;
  return gather - *matmul;
}

void Report(const Facts& facts, const Op& op, Seconds time, std::optional<Seconds> gain,
            Sink& sink) {
  const Graph& graph = *facts.source;
  const int64_t slice = SliceElements(graph, op);
  const int64_t count = op.shape.elements() / std::max<int64_t>(1, slice);
  const Shape& table = graph.operand(op, 0).shape;
  const std::string what = fmt::format(
      "{} slices of {} elements are gathered one by one from {}: {} a step (simulated on {})",
      FormatCount(count), FormatCount(slice), FormatShape(table), FormatSeconds(time),
      facts.target.chip.name);
  Finding& found = sink.ReportOp(
      op.id, gain ? fmt::format("{}, expected a matmul with a one-hot matrix of {} columns, {} "
                                "faster in the forward pass",
                                what, FormatCount(*OneHotDepth(graph, op)), FormatSeconds(*gain))
                  : fmt::format("{}, expected slices of {} bytes or more", what,
                                FormatCount(facts.target.chip.dma_min_row_bytes)));
  found.cost = DeviceCost(facts, time);
  if (!gain) {
    found.fix.text = slice == 1 ? "gather whole rows and pick their elements afterwards, or gather "
                                  "once for several uses"
                                : "move the dims that are not indexed to the end and gather whole "
                                  "multiples of 128 elements, or gather once for several uses";
    return;
  }
  found.fix.text = "multiply one_hot(indices) with the table instead of gathering";
  found.change.replace[op.id] = OneHotMatmul;
}

// OP012 speaks of layers that warp images in training.
bool IsOfWarp(const Facts& facts, const Op& op) {
  return facts.training &&
         std::ranges::any_of(facts.workload.facts.calls, [&](const SourceCall& call) {
           return IsWarpOfImages(call) && IsOpOf(op, call);
         });
}

// "slices of 1 element"; empty: how long they are is not written, or they are long.
std::string ShortSlices(const Facts& facts, const SourceCall& call) {
  constexpr size_t kSliceSizes = 3;
  constexpr int64_t kElementBytes = 4;
  if (call.name == "tensorflow.ops.GatherV2" || call.name == "tensorflow.gather") {
    const bool batched = std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
      return Contains(argument.text, "BatchDims(") && !Contains(argument.text, "BatchDims(0)");
    });
    return batched ? "slices of each example of the batch" : "";
  }
  if (call.name != "xla.Gather" || call.arguments.size() <= kSliceSizes) return "";
  const std::vector<int64_t>& sizes = call.arguments[kSliceSizes].sizes;
  if (sizes.empty()) return "";
  int64_t elements = 1;
  for (const int64_t size : sizes) {
    const auto product = CheckedMul(elements, std::max<int64_t>(1, size));
    if (!product) return "";
    elements = *product;
  }
  if (elements * kElementBytes >= facts.target.chip.dma_min_row_bytes) return "";
  return fmt::format("slices of {} element{}", elements, elements == 1 ? "" : "s");
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    const std::string slices = ShortSlices(facts, call);
    if (slices.empty()) continue;
    Finding& found = sink.Report(
        call.location, "{}() gathers {} one by one, expected slices of {} bytes or more",
        LastName(call.name), slices, FormatCount(facts.target.chip.dma_min_row_bytes));
    found.severity = Severity::kInfo;
    found.cost.unknown = kNoStepInCpp;
    found.no_change = kNoStepInCpp;
    found.fix.text =
        "multiply one_hot(indices) with the table where the dim that is picked along is short, or "
        "move the dims that are not indexed to the end and gather whole multiples of 128 elements";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return CheckCalls(facts, sink);
  for (const Op& op : facts.source->ops()) {
    if (!IsGather(op) || IsOfWarp(facts, op)) continue;
    // A table of one row stands for one whose length is not known.
    if (OneHotDepth(*facts.source, op) == 1) continue;
    const Seconds time = facts.TimeOf(op.id);
    if (time < facts.StepTime() * sink.threshold("min-share")) continue;
    const int64_t slice = SliceElements(*facts.source, op);
    const int64_t count = op.shape.elements() / std::max<int64_t>(1, slice);
    if (static_cast<double>(count) < sink.threshold("min-slices")) continue;
    auto gain = Gain(facts, op, sink.threshold("max-depth"));
    if (gain && *gain < facts.StepTime() * sink.threshold("min-share")) {
      gain.reset();
    }
    // Rows of a table are as long as the model is wide: there is nothing to
    // gain by other slices.
    const int64_t row = slice * BitWidth(op.shape.dtype) / 8;
    const bool short_slices =
        op.kind == OpKind::kGatherSlices && row < facts.target.chip.dma_min_row_bytes;
    if (!gain && !short_slices) continue;
    Report(facts, op, time, gain, sink);
  }
}

}  // namespace

TW_RULE(OP008)

}  // namespace tilewise::OP008
