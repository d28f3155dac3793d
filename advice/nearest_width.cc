// Which width a layer should have instead of one that fills tiles badly.

#include "advice/nearest_width.h"

#include <algorithm>

#include "base/math.h"
#include "graph/rebatch.h"
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

}  // namespace tilewise
