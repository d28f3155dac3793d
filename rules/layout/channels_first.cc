// Images: marked at the convolutions and windows, then once forwards and once
// backwards through ops that keep the dims.

#include "rules/layout/channels_first.h"

namespace tilewise {
namespace {

bool TakesImages(const Op& op) {
  const OpClass its_class = ClassOf(op.kind);
  const bool convolves = its_class == OpClass::kMxu && op.kind != OpKind::kDot;
  return convolves || its_class == OpClass::kWindow;
}

// Whether dims stay where they are, so that the image is the same image.
bool KeepsDims(const Op& op) {
  const OpClass its_class = ClassOf(op.kind);
  return its_class == OpClass::kElementwise || op.kind == OpKind::kCopy ||
         op.kind == OpKind::kBarrier || op.kind == OpKind::kPad || op.kind == OpKind::kSlice ||
         op.kind == OpKind::kConcatenate || its_class == OpClass::kWindow ||
         its_class == OpClass::kComposite;
}

std::vector<bool> Images(const Graph& graph, bool channels_first_only) {
  std::vector<bool> image(graph.size(), false);
  const auto mark = [&](OpId id, size_t rank) {
    if (graph.op(id).shape.dims.size() == rank && rank >= 3) {
      image[id] = true;
    }
  };
  for (const Op& op : graph.ops()) {
    if (!TakesImages(op)) continue;
    const bool has_order = op.kind != OpKind::kCumulative;
    if (channels_first_only && !(has_order && WindowOf(op).channels_first)) continue;
    mark(op.operands[0], op.shape.dims.size());
    mark(op.id, op.shape.dims.size());
  }
  for (const Op& op : graph.ops()) {
    if (!KeepsDims(op)) continue;
    for (const OpId operand : op.operands) {
      if (!image[operand]) continue;
      mark(op.id, op.shape.dims.size());
    }
  }
  for (OpId id(graph.size() - 1); id >= 0; --id) {
    const Op& op = graph.op(id);
    if (!image[id] || !KeepsDims(op)) continue;
    for (const OpId operand : op.operands) mark(operand, op.shape.dims.size());
  }
  return image;
}

}  // namespace

std::vector<bool> ChannelsFirstImages(const Graph& graph) { return Images(graph, true); }

std::vector<bool> ConvolutionImages(const Graph& graph) { return Images(graph, false); }

}  // namespace tilewise
