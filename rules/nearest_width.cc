// Which width a layer should have instead of one that fills tiles badly.

#include "rules/nearest_width.h"

#include <algorithm>

#include "base/math.h"
#include "graph/rebatch.h"

namespace tilewise {
namespace {

constexpr int64_t kFarFromFull = 4;

bool SameResults(const Graph& a, const Graph& b) {
  return std::ranges::all_of(a.outputs(), [&](const Output& output) {
    return output.role == Output::Role::kState ||
           a.op(output.value).shape == b.op(output.value).shape;
  });
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

std::optional<NewWidth> FreeWidth(const Graph& graph, OpId op, int64_t dim,
                                  int64_t unit) {
  const auto size = NearestWidth(graph.op(op).shape.size(dim), unit);
  if (!size) return std::nullopt;
  const absl::StatusOr<Graph> resized = ResizeDim(graph, op, dim, *size);
  if (!resized.ok() || !SameResults(graph, *resized)) return std::nullopt;
  return NewWidth{op, dim, *size};
}

}  // namespace tilewise
