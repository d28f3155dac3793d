// Finds the 1x1 convolution that belongs to a depthwise one, and replaces both.

#include "rules/operators/fused_block.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "session/rewrite_graph.h"

namespace tilewise {
namespace {

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

}  // namespace

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

}  // namespace tilewise
