// A first convolution on images whose pixels were folded into channels. The
// kernel of 7 x 7 x 3 at stride 2 becomes one of 4 x 4 x 12 at stride 1: half
// of the window and one more where the two grids do not meet.

#include "rules/alignment/folded_stem.h"

#include <utility>
#include <vector>

#include "base/math.h"

namespace tilewise {
namespace {

constexpr int64_t kFold = 2;

// The input that `value` is, but for elementwise ops on it; null otherwise.
const Op* InputBehind(const Graph& graph, OpId value) {
  const Op* op = &graph.op(value);
  while (ClassOf(op->kind) == OpClass::kElementwise && !op->operands.empty()) {
    op = &graph.operand(*op, 0);
  }
  return op->kind == OpKind::kParameter ? op : nullptr;
}

bool CanFold(const Graph& graph, const Op& conv) {
  const auto& attrs = conv.as<ConvAttrs>();
  const Shape& x = graph.operand(conv, 0).shape;
  if (attrs.groups != 1 || attrs.window.size() != 2 || x.rank() != 4) {
    return false;
  }
  const int64_t spatial = attrs.channels_first ? 2 : 1;
  for (int64_t i = 0; i < 2; ++i) {
    const WindowDim& dim = attrs.window[static_cast<size_t>(i)];
    if (dim.stride % kFold != 0 || dim.dilation != 1) return false;
    if (dim.base_dilation != 1 || x.size(spatial + i) % kFold != 0) {
      return false;
    }
  }
  return InputBehind(graph, conv.operands[0]) != nullptr;
}

OpId Folded(GraphBuilder& builder, const Op& conv, std::span<const OpId> operands) {
  const bool first = conv.as<ConvAttrs>().channels_first;
  const size_t spatial = first ? 2 : 1;
  const size_t feature = first ? 1 : 3;
  Shape x = builder.shape(operands[0]);
  const Shape kernel = builder.shape(operands[1]);
  std::vector<WindowDim> window = conv.as<ConvAttrs>().window;
  std::vector<int64_t> sizes;
  sizes.reserve(window.size() + 2);
  for (size_t i = 0; i < window.size(); ++i) {
    WindowDim& dim = window[i];
    int64_t& pixels = x.dims[spatial + i].factor;
    pixels /= kFold;
    dim.size = CeilDiv(dim.size + 1, kFold);
    dim.stride /= kFold;
    dim.pad_low = CeilDiv(dim.pad_low, kFold);
    // Whatever makes as many places as before.
    const int64_t places = conv.shape.dims[spatial + i].factor;
    dim.pad_high = (places - 1) * dim.stride + dim.size - pixels - dim.pad_low;
    sizes.push_back(dim.size);
  }
  x.dims[feature].factor *= kFold * kFold;
  sizes.push_back(x.dims[feature].factor);
  sizes.push_back(conv.shape.dims[feature].factor);
  const OpId weights = builder.Variable(Shape::Of(kernel.dtype, sizes), "kernel", true);
  return builder.Convolution(builder.Parameter(x, "folded"), weights, std::move(window), 1, first,
                             conv.as<ConvAttrs>().precision_passes);
}

}  // namespace

Change FoldedStem(const Graph& graph, const Op& conv) {
  Change change;
  if (conv.kind == OpKind::kConvolution && CanFold(graph, conv)) {
    change.replace[conv.id] = Folded;
  }
  return change;
}

}  // namespace tilewise
