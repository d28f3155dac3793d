// Flags depthwise convolutions that take far more time than their FLOPs say.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "advice/saving.h"
#include "rules/rule.h"
#include "session/matrix_use.h"
#include "session/rewrite_graph.h"

namespace tilewise::OP002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP002",
    .name = "depthwise-or-separable-conv",
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

constexpr size_t kMostBetween = 48;  // between the two; bounds the walk

bool IsBetween(const Op& op) {
  switch (op.kind) {
    case OpKind::kBroadcast:
    case OpKind::kReshape:
    case OpKind::kBatchNormTraining:
    case OpKind::kBatchNormInference:
      return true;
    default:
      return ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kConstant ||
             op.kind == OpKind::kVariable;
  }
}

// The only convolution that `value` is made of through ops that may stand
// between; null when there is another number of them, or other ops.
const Op* OnlyConvolutionBehind(const Graph& graph, OpId value) {
  std::vector<OpId> seen = {value};
  const Op* only = nullptr;
  for (size_t i = 0; i < seen.size(); ++i) {
    const Op& op = graph.op(seen[i]);
    if (op.kind == OpKind::kConvolution) {
      if (only != nullptr) return nullptr;
      only = &op;
      continue;
    }
    if (!IsBetween(op) || seen.size() > kMostBetween) return nullptr;
    for (const OpId operand : op.operands) {
      if (std::ranges::find(seen, operand) == seen.end()) {
        seen.push_back(operand);
      }
    }
  }
  return only;
}

bool IsPointwise(const Op& op) {
  return op.as<ConvAttrs>().groups == 1 &&
         std::ranges::all_of(op.as<ConvAttrs>().window,
                             [](const WindowDim& dim) { return dim.size == 1 && dim.stride == 1; });
}

// The 1x1 convolution that reads what `depthwise` made.
const Op* ProjectionOf(const Graph& graph, const Op& depthwise) {
  for (OpId id = depthwise.id + 1; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    if (op.kind != OpKind::kConvolution) continue;
    const Op* behind = OnlyConvolutionBehind(graph, op.operands[0]);
    if (behind != nullptr && behind->id == depthwise.id) {
      return IsPointwise(op) ? &op : nullptr;
    }
  }
  return nullptr;
}

DType StoredType(const Graph& graph, OpId weight) {
  while (graph.op(weight).kind == OpKind::kConvert) {
    weight = graph.op(weight).operands[0];
  }
  return graph.op(weight).shape.dtype;
}

// A convolution with the window of `depthwise` on what `input` became, that
// gives as many features as the op it replaces.
Replacement Regular(const Graph& graph, const Op& depthwise, OpId input) {
  const DType stored = StoredType(graph, depthwise.operands[1]);
  return [attrs = depthwise.as<ConvAttrs>(), input, stored](GraphBuilder& builder, const Op& op,
                                                            std::span<const OpId> /*operands*/) {
    const OpId x = StandsFor(builder, input);
    const Shape from = builder.shape(x);
    const size_t feature = attrs.channels_first ? 1 : op.shape.dims.size() - 1;
    std::vector<int64_t> sizes;
    sizes.reserve(attrs.window.size() + 2);
    for (const WindowDim& dim : attrs.window) sizes.push_back(dim.size);
    sizes.push_back(from.dims[feature].factor);
    sizes.push_back(op.shape.dims[feature].factor);
    const OpId kernel = builder.Variable(Shape::Of(stored, sizes), "kernel", true);
    return builder.Convolution(x, builder.Convert(kernel, from.dtype), attrs.window, 1,
                               attrs.channels_first, attrs.precision_passes);
  };
}

// In the place of the 1x1 expansion before the depthwise convolution
// `depthwise` and of that one, or else of that one and of the 1x1 projection
// behind it: a convolution of the same window on all input features. Only
// elementwise ops and normalisations may stand between the two; those between
// them go too. Empty when there is no such pair.
Change FusedBlock(const Graph& graph, const Op& depthwise) {
  Change change;
  const Op* expansion = OnlyConvolutionBehind(graph, depthwise.operands[0]);
  if (expansion != nullptr && IsPointwise(*expansion)) {
    change.replace[depthwise.id] = Regular(graph, depthwise, expansion->operands[0]);
    return change;
  }
  const Op* projection = ProjectionOf(graph, depthwise);
  if (projection != nullptr) {
    change.replace[projection->id] = Regular(graph, depthwise, depthwise.operands[0]);
  }
  return change;
}

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
        op.location,
        "depthwise convolution of {} channels takes {} of the step for {} of its "
        "matrix FLOPs, expected the shares to be alike",
        FormatCount(op.as<ConvAttrs>().groups), FormatPercent(share), FormatPercent(flops));
    found.cost = DeviceCost(facts, facts.TimeOf(op.id));
    found.change = block;
    found.saving = saving;
    found.fix.text =
        "use a regular convolution of the same window for the expansion and depthwise pair, at "
        "least in the early stages";
  }
}

}  // namespace

TW_RULE(OP002)

}  // namespace tilewise::OP002
