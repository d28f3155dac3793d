// A table of measurements, read: what kind it is, told by its columns, its
// points, and what stands in where they do not say.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/csv.h"
#include "accuracy/point.h"
#include "accuracy/predict.h"
#include "accuracy/published.h"
#include "base/status.h"

namespace tilewise {

struct MeasuredSet {
  std::string name;  // the file's, without folder and extension
  std::string kind;
  SetDefaults published;  // of that name, else the first of that kind
  size_t rows = 0;
  std::vector<Point> points;  // one a row, in file order
};

// `path` stands in messages and names the set. Errors: text that is no table,
// or a table that has the form of no kind; with the line.
absl::StatusOr<MeasuredSet> ReadMeasuredSet(const std::string& path, std::string_view text);

// The user's, else the set's own. A set's host belongs to its chip: with a chip
// of the user it is left open.
NamedMachine MachineFor(const NamedMachine& user, const SetDefaults& set);

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
absl::StatusOr<std::vector<Point>> ReadMemorySet(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadPipelineSet(const Csv&, const SetDefaults&);
absl::StatusOr<std::vector<Point>> ReadMeasurements(const Csv&, const SetDefaults&);

// What comes first in a row's source: a repository, a paper.
std::string MeasuredBy(const std::string& text);

// How ParaDnn trains its fully connected networks: a loop of TPUEstimator over
// whole batches of f32 features and one-hot labels.
void RunAsDenseSweep(int64_t input, int64_t output, Point& point);

// The columns that any table may have: chip, chips, cores, host, mesh.
absl::Status ReadMachineColumns(const Csv& csv, size_t row, Point& point);

}  // namespace tilewise
