// Colours of images are no free width; AL005 speaks of the convolution that
// reads them.

#include "rules/alignment/padded_images.h"

#include <algorithm>

#include "rules/alignment/padding_waste.h"
#include "rules/layout/channels_first.h"

namespace tilewise {
namespace {

constexpr int64_t kMostColours = 4;

bool PadsColours(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[static_cast<size_t>(value)];
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    const bool few = size <= kMostColours;
    if (few && PaddedSize(shape, layout, dim) != size) return true;
  }
  return false;
}

// By op: computed of the inputs before any trained weight, as images that are
// resampled or cut.
std::vector<bool> WithoutWeights(const Graph& graph) {
  std::vector<bool> without(static_cast<size_t>(graph.size()));
  for (const Op& op : graph.ops()) {
    without[static_cast<size_t>(op.id)] =
        !(op.kind == OpKind::kVariable && op.as<VariableAttrs>().trainable) &&
        std::ranges::all_of(op.operands,
                            [&](OpId operand) { return without[static_cast<size_t>(operand)]; });
  }
  return without;
}

}  // namespace

PaddedImages::PaddedImages(const Program& program)
    : program_(program),
      images_(ConvolutionImages(program.graph)),
      early_(WithoutWeights(program.graph)) {}

bool PaddedImages::IsImage(OpId value) const {
  return program_.graph.op(value).shape.rank() > 2 && images_[static_cast<size_t>(value)];
}

bool PaddedImages::IsRight(OpId value, bool single) const {
  const bool resampled = program_.graph.op(value).shape.rank() > 3 &&
                         early_[static_cast<size_t>(value)] &&
                         MostPadded(program_, value).size <= kMostColours;
  return resampled || (IsImage(value) && (single || PadsColours(program_, value)));
}

}  // namespace tilewise
