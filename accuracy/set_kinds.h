// The kinds of tables of measurements, told by their columns.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "accuracy/csv.h"
#include "accuracy/point.h"
#include "accuracy/published.h"
#include "base/status.h"

namespace tilewise {

struct SetKind {
  std::string_view name;  // "gemm"
  std::span<const std::string_view> columns;
  // One point a row. Errors name the line: a cell that is no number. What
  // cannot be mapped to a workload is a point with a reason. `chip` is set by
  // the columns chip, chips, cores and host where the table has them.
  absl::StatusOr<std::vector<Point>> (*read)(const Csv&, const SetDefaults&);
};
// The first that fits: those with more columns before those with fewer.
std::span<const SetKind> SetKinds();

// Errors list the columns of every kind.
absl::StatusOr<const SetKind*> KindOf(const Csv& csv);

absl::StatusOr<std::vector<Point>> ReadGemmSet(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadVectorSet(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadCopySet(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadDenseSet(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadTileRuns(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadMeasurements(const Csv&, const SetDefaults&);

// How ParaDnn trains its fully connected networks: a loop of TPUEstimator over
// whole batches of f32 features and one-hot labels.
void RunAsDenseSweep(int64_t input, int64_t output, Point& point);

// The columns that any table may have: chip, chips, cores, host, mesh.
absl::Status ReadMachineColumns(const Csv& csv, size_t row, Point& point);

}  // namespace tilewise
