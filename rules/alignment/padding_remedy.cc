// A width is changed in the model as it was written, where the padded value has
// the dims of its op there.

#include "rules/alignment/padding_remedy.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

// The same width in the model as written: the op whose value `value` is, where
// their dims agree, and the nearest multiple of the lanes for the dim that is
// padded most.
std::optional<NewWidth> BetterWidth(const Facts& facts, OpId value) {
  const Program& program = facts.model->program;
  const Op& lowered = program.graph.op(value);
  if (lowered.origin == kNoOp) return std::nullopt;
  const Shape& shape = lowered.shape;
  if (facts.source->op(lowered.origin).shape.dims != shape.dims) {
    return std::nullopt;
  }
  const PaddedDim most = MostPadded(program, value);
  const int64_t lanes = facts.target.chip.lanes;
  if (most.dim < 0 || most.padded % lanes != 0) return std::nullopt;
  return FreeWidth(facts, lowered.origin, most.dim, lanes);
}

// Whether the user fixed each dim that is padded: no other size is theirs to
// choose.
bool HasFixedDims(const Facts& facts, OpId value) {
  const Program& program = facts.model->program;
  const Op& op = program.graph.op(value);
  const Layout& layout = program.layouts[value];
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const bool padded = PaddedSize(op.shape, layout, dim) != op.shape.size(dim);
    if (padded && !facts.IsFixed(op, dim)) return false;
  }
  return true;
}

}  // namespace

PaddingRemedy FindRemedy(const Facts& facts, OpId value, bool image) {
  const Program& program = facts.model->program;
  const Shape& shape = program.graph.op(value).shape;
  PaddingRemedy remedy = {.most = MostPadded(program, value),
                          .fixed = HasFixedDims(facts, value),
                          .width = BetterWidth(facts, value)};
  const auto nearest = NearestWidth(remedy.most.size, remedy.most.padded);
  remedy.near = nearest.has_value();
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    remedy.larger |= !image && shape.size(dim) > remedy.most.size;
  }
  return remedy;
}

std::string AdviceOf(const PaddingRemedy& remedy, const std::string& written) {
  if (remedy.fixed) {
    return "its size is fixed: pad it once at the source, or arrange the data "
           "so that a larger dim is the minor one";
  }
  const PaddedDim& most = remedy.most;
  std::string text = written;
  if (written.empty() && (remedy.width || remedy.near)) {
    text = fmt::format("use {} instead of {} for dim {} where the model is free to",
                       FormatCount(remedy.width ? remedy.width->size : most.padded),
                       FormatCount(most.size), most.dim);
  }
  if (!remedy.larger) return text;
  return fmt::format("{}{}arrange the data so that a larger dim stands in place of dim {}", text,
                     text.empty() ? "" : ", or ", most.dim);
}

}  // namespace tilewise
