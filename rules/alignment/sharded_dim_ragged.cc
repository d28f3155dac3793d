// Flags shardings that do not divide a dim evenly, or leave each device less
// than a row of lanes.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "rules/rule.h"

namespace tilewise::AL008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL008",
    .name = "sharded-dim-ragged",
    .set = RuleSet::kPreview,
    .needs = {.model = true},
    .summary = "a sharding divides a dim unevenly or into narrow parts",
    .no_saving = "which size or mesh divides it is a choice for the whole program",
    .doc = R"(
What: a sharding that cuts a dim into parts of different sizes, or the last dim
of an array into parts narrower than the lanes of a vector row.
Why: every device gets a part of the largest size, so the last one works on
padding, and reshapes of such a dim need the data of a neighbour. A part of less
than 128 columns is padded to 128 on each device.
Remedy: put the mesh axis on another dim, or pad the dim once to a multiple of
the parts times 128.
Ignore: arrays that are small beside the step (share guard), axes of one device.
Numbers: bytes that the parts hold beyond the array, over all devices.
Sources: pytorch/xla#6674, scaling-book.)",
};

struct Ragged {
  int64_t dim = 0;
  int64_t size = 0;
  int64_t parts = 1;
  int64_t part = 0;    // the largest
  int64_t padded = 0;  // as a device stores it
};

// The dim that wastes most, if any does.
std::optional<Ragged> WorstDim(const Shape& shape, const std::vector<int64_t>& tiles,
                               int64_t lanes) {
  std::optional<Ragged> worst;
  double waste = 1;
  for (size_t i = 0; i < tiles.size() && i < shape.dims.size(); ++i) {
    Ragged ragged;
    ragged.dim = static_cast<int64_t>(i);
    ragged.size = shape.size(ragged.dim);
    ragged.parts = tiles[i];
    if (ragged.parts <= 1 || ragged.size <= 1) continue;
    ragged.part = CeilDiv(ragged.size, ragged.parts);
    const bool minor = i + 1 == shape.dims.size();
    const bool narrow = minor && ragged.part < lanes && ragged.size >= lanes;
    ragged.padded = narrow ? lanes : ragged.part;
    const double of_dim = static_cast<double>(ragged.padded) * static_cast<double>(ragged.parts) /
                          static_cast<double>(ragged.size);
    if (of_dim <= waste) continue;
    waste = of_dim;
    worst = ragged;
  }
  return worst;
}

Bytes WastedBytes(const Shape& shape, const Ragged& ragged) {
  const double size = static_cast<double>(shape.unpadded_bytes().value);
  const double stored = static_cast<double>(ragged.padded) * static_cast<double>(ragged.parts) /
                        static_cast<double>(ragged.size);
  return {static_cast<int64_t>(size * (stored - 1))};
}

void Check(const Facts& facts, Sink& sink) {
  const Graph& graph = *facts.source;
  for (const auto& [id, sharding] : facts.workload.module.shardings) {
    if (id >= graph.size()) continue;
    const Op& op = graph.op(id);
    const auto worst = WorstDim(op.shape, sharding.tiles, facts.target.chip.lanes);
    if (!worst) continue;
    const Bytes wasted = WastedBytes(op.shape, *worst);
    if (!facts.WorthSaying(Seconds{}, wasted)) continue;
    const bool uneven = worst->size % worst->parts != 0;
    Finding& found =
        sink.ReportDim(id, worst->dim, "dim {} of {} is cut into {} parts of {}{}, expected {}",
                       worst->dim, FormatShape(op.shape), FormatCount(worst->parts),
                       uneven ? "up to " : "", FormatCount(worst->part),
                       worst->padded > worst->part
                           ? fmt::format("at least {} columns each", FormatCount(worst->padded))
                           : "equal parts");
    found.cost.bytes = wasted;
    const int64_t unit = worst->padded > worst->part ? facts.target.chip.lanes : 1;
    found.fix.text = fmt::format("put the mesh axis on another dim, or pad this one to {} once",
                                 FormatCount(RoundUp(worst->size, worst->parts * unit)));
  }
}

}  // namespace

TW_RULE(AL008)

}  // namespace tilewise::AL008
