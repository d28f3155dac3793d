// Which width a layer should have instead of one that fills tiles badly.

#include "advice/nearest_width.h"

#include <algorithm>
#include <utility>

#include "base/math.h"
#include "graph/rebatch.h"
#include "session/forward_values.h"
#include "session/session.h"

namespace tilewise {
namespace {

constexpr int64_t kFarFromFull = 4;

bool SameResults(const Graph& a, const Graph& b) {
  return std::ranges::all_of(a.outputs(), [&](const Output& output) {
    return output.role == Output::Role::kState ||
           a.op(output.value).shape == b.op(output.value).shape;
  });
}

// Dims change together: one that is fixed holds the others.
bool ChangesFixed(const Facts& facts, const Graph& resized) {
  if (!facts.session.options().fixed_dim) return false;
  for (const Op& op : facts.source->ops()) {
    const Shape& then = resized.op(op.id).shape;
    for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
      const bool stays = dim < then.rank() && then.size(dim) == op.shape.size(dim);
      if (!stays && facts.IsFixed(op, dim)) return true;
    }
  }
  return false;
}

struct TiledDim {
  int64_t dim = -1;
  int64_t unit = 1;  // lanes or sublanes of a tile
  double ratio = 1;
};

TiledDim MostPadded(const Program& program, OpId value) {
  const Shape& shape = program.graph.op(value).shape;
  const Layout& layout = program.layouts[value];
  TiledDim most;
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

std::optional<int64_t> NearestWidth(int64_t size, int64_t unit) {
  if (size < 1 || unit < 2 || size % unit == 0) return std::nullopt;
  const int64_t below = size / unit * unit;
  const int64_t above = RoundUp(size, unit);
  if (below > 0 && size - below < above - size) return below;
  if (size * kFarFromFull < above) return std::nullopt;
  return above;
}

bool IsHeld(const Facts& facts, OpId op, int64_t dim) {
  if (!facts.session.options().fixed_dim) return false;
  const Graph& graph = *facts.source;
  if (facts.IsFixed(graph.op(op), dim)) return true;
  const absl::StatusOr<Graph> resized = ResizeDim(graph, op, dim, 2 * graph.op(op).shape.size(dim));
  return resized.ok() && ChangesFixed(facts, *resized);
}

std::optional<NewWidth> FreeWidth(const Facts& facts, OpId op, int64_t dim, int64_t unit) {
  const Graph& graph = *facts.source;
  const auto size = NearestWidth(graph.op(op).shape.size(dim), unit);
  if (!size) return std::nullopt;
  const absl::StatusOr<Graph> resized = ResizeDim(graph, op, dim, *size);
  if (!resized.ok() || !SameResults(graph, *resized)) return std::nullopt;
  if (ChangesFixed(facts, *resized)) return std::nullopt;
  return NewWidth{op, dim, *size};
}

Change FillingTiles(const Facts& facts, OpId value) {
  Change change;
  const Op& lowered = facts.model->program.graph.op(value);
  const TiledDim most = MostPadded(facts.model->program, value);
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
