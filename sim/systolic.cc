// Every dataflow has the same formula, with the roles of m, n and k permuted.

#include "sim/systolic.h"

#include <array>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise {
namespace {

constexpr std::array<std::pair<std::string_view, Dataflow>, 3> kDataflows = {
    {{"ws", Dataflow::kWeight}, {"os", Dataflow::kOutput}, {"is", Dataflow::kInput}}};

// `on_rows` and `on_columns` are cut into folds, `streamed` passes in time.
struct Mapping {
  int64_t on_rows = 1, on_columns = 1, streamed = 1;
  bool loads_first = true;  // a fold is loaded before anything streams
};

Mapping MappingOf(const MatmulShape& shape, Dataflow dataflow) {
  switch (dataflow) {
    case Dataflow::kWeight:
      return {shape.k, shape.n, shape.m, true};
    case Dataflow::kOutput:
      return {shape.m, shape.n, shape.k, false};
    case Dataflow::kInput:
      break;
  }
  return {shape.k, shape.m, shape.n, true};
}

double ToDouble(int64_t value) { return static_cast<double>(value); }

absl::Status TooMany(const MatmulShape& shape) {
  return InvalidInput(
      fmt::format("found a matmul of m={}, n={}, k={}, expected at most 2^63 cycles", shape.m,
                  shape.n, shape.k));
}

absl::Status CheckSizes(const MatmulShape& shape, const SystolicArray& array) {
  for (const int64_t size : {shape.m, shape.n, shape.k, array.rows, array.columns}) {
    if (size >= 1 && size <= kMaxElements) continue;
    return InvalidInput(
        fmt::format("found a matmul of m={}, n={}, k={} on an array of {}x{}, expected "
                    "sizes from 1 to {}",
                    shape.m, shape.n, shape.k, array.rows, array.columns, kMaxElements));
  }
  return absl::OkStatus();
}

}  // namespace

std::string_view DataflowName(Dataflow dataflow) {
  for (const auto& [name, known] : kDataflows) {
    if (known == dataflow) return name;
  }
  return "";
}

std::optional<Dataflow> ParseDataflow(std::string_view name) {
  for (const auto& [known, dataflow] : kDataflows) {
    if (known == name) return dataflow;
  }
  return std::nullopt;
}

absl::StatusOr<SystolicTime> TimeOnArray(const MatmulShape& shape, const SystolicArray& array,
                                         Dataflow dataflow) {
  TW_RETURN_IF_ERROR(CheckSizes(shape, array));
  const Mapping map = MappingOf(shape, dataflow);
  const std::optional<int64_t> folds =
      CheckedMul(CeilDiv(map.on_rows, array.rows), CeilDiv(map.on_columns, array.columns));
  if (!folds) return TooMany(shape);
  const int64_t per_fold =
      (map.loads_first ? array.rows : 0) + map.streamed + array.rows + array.columns - 2;
  const std::optional<int64_t> cycles = CheckedMul(*folds, per_fold);
  if (!cycles) return TooMany(shape);
  SystolicTime time{.folds = *folds, .cycles = *cycles};
  const double cells = ToDouble(array.rows) * ToDouble(array.columns);
  const double macs = ToDouble(shape.m) * ToDouble(shape.n) * ToDouble(shape.k);
  time.utilisation = macs / (ToDouble(time.cycles) * cells);
  time.mapping_efficiency =
      ToDouble(map.on_rows) * ToDouble(map.on_columns) / (ToDouble(time.folds) * cells);
  return time;
}

}  // namespace tilewise
