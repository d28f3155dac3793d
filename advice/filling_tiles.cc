// What would fill the tiles that a tensor of the lowered step is padded to.

#include "advice/filling_tiles.h"

#include <utility>

#include "advice/nearest_width.h"
#include "base/math.h"
#include "session/forward_values.h"

namespace tilewise {
namespace {

struct PaddedDim {
  int64_t dim = -1;
  int64_t unit = 1;  // lanes or sublanes of a tile
  double ratio = 1;
};

PaddedDim MostPadded(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[value];
  PaddedDim most;
  const std::pair<int64_t, int64_t> tiled[] = {{LaneDim(layout), layout.tile_lanes},
                                               {SublaneDim(layout), layout.tile_sublanes}};
  for (const auto& [dim, unit] : tiled) {
    if (dim < 0) continue;
    const double ratio =
        static_cast<double>(PaddedSize(shape, layout, dim)) / static_cast<double>(shape.size(dim));
    if (ratio > most.ratio) most = {dim, unit, ratio};
  }
  return most;
}

// The batch at which a dim that holds it is a multiple of `unit`.
std::optional<int64_t> FullBatch(const Facts& facts, int64_t size, int64_t unit) {
  const int64_t examples = facts.batch_per_core * RoundUp(size, unit);
  if (facts.batch_assumed || examples % size != 0) return std::nullopt;
  return examples / size;
}

}  // namespace

Change FillingTiles(const Facts& facts, OpId value) {
  Change change;
  const Op& lowered = facts.model->program.graph.op(value);
  const PaddedDim most = MostPadded(facts.model->program, value);
  if (most.dim < 0 || lowered.origin == kNoOp) return change;
  const Op& op = facts.source->op(lowered.origin);
  if (op.shape.dims != lowered.shape.dims) return change;
  const Shape& written = facts.workload.graph->op(op.id).shape;
  const int64_t size = op.shape.size(most.dim);
  if (written.dims[most.dim].per_batch) {
    change.batch_per_core = FullBatch(facts, size, most.unit);
    return change;
  }
  const auto width = FreeWidth(facts, op.id, most.dim, most.unit);
  if (width && width->size < size) change.widths.push_back(*width);
  return change;
}

}  // namespace tilewise
