// Device times of single kernels: products, elementwise kernels, copies.

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "accuracy/set_kinds.h"
#include "accuracy/text_match.h"

namespace tilewise {
namespace {

// The size up to which constants fitted on small products have seen them.
constexpr int64_t kSmallProduct = 1024;

absl::StatusOr<Point> KernelPoint(const Csv& csv, size_t row) {
  Point point;
  point.line = csv.line(row);
  TW_RETURN_IF_ERROR(ReadMachineColumns(csv, row, point));
  point.figure.quantity = Quantity::kTime;
  point.figure.scale = 1e6;
  point.figure.unit = "us";
  TW_ASSIGN_OR_RETURN(point.figure.value, csv.Number(row, "device_us"));
  if (point.figure.value <= 0) {
    return csv.Error(row, "device_us", "a positive number");
  }
  return point;
}

std::string TypeOf(const Csv& csv, size_t row, const SetDefaults& defaults) {
  const std::string& cell = csv.Cell(row, "dtype");
  return cell.empty() ? defaults.dtype : cell;
}

// "1x8x2": how often n, m and k are cut; the cores share the windows of dim 0
// or 1 of them.
absl::StatusOr<MatmulCuts> CutsOf(const Csv& csv, size_t row) {
  const TextMatch iterations(csv.Cell(row, "iterations"));
  const auto counts = iterations.Find("^([1-9][0-9]{0,5})x([1-9][0-9]{0,5})x([1-9][0-9]{0,5})$");
  if (!counts) {
    return csv.Error(row, "iterations", "three numbers joined by x");
  }
  MatmulCuts cuts;
  cuts.n = static_cast<int64_t>((*counts)[0]);
  cuts.m = static_cast<int64_t>((*counts)[1]);
  cuts.k = static_cast<int64_t>((*counts)[2]);
  if (csv.Has("megacore_split_dim")) {
    TW_ASSIGN_OR_RETURN(const int64_t dim, csv.Integer(row, "megacore_split_dim", 0));
    cuts.cores_share_n = dim == 0;
  }
  return cuts;
}

// Adds the points of a row to the last parameter; the first has its figure.
using AddRow = std::function<absl::Status(Point, size_t row, std::vector<Point>&)>;

absl::StatusOr<std::vector<Point>> ReadKernels(const Csv& csv, const AddRow& add) {
  std::vector<Point> points;
  for (size_t row = 0; row < csv.rows(); ++row) {
    TW_ASSIGN_OR_RETURN(Point point, KernelPoint(csv, row));
    TW_RETURN_IF_ERROR(add(std::move(point), row, points));
  }
  return points;
}

}  // namespace

absl::StatusOr<std::vector<Point>> ReadGemmSet(const Csv& csv, const SetDefaults& defaults) {
  return ReadKernels(csv, [&](Point point, size_t row, std::vector<Point>& points) -> absl::Status {
    TW_ASSIGN_OR_RETURN(const int64_t m, csv.Integer(row, "m", 1));
    TW_ASSIGN_OR_RETURN(const int64_t n, csv.Integer(row, "n", 1));
    TW_ASSIGN_OR_RETURN(const int64_t k, csv.Integer(row, "k", 1));
    point.label = fmt::format("[{},{}] x [{},{}]", m, k, k, n);
    point.spec =
        fmt::format("zoo:gemm,m={},n={},k={},dtype={}", m, n, k, TypeOf(csv, row, defaults));
    point.group =
        std::max({m, n, k}) <= kSmallProduct ? fmt::format("dims to {}", kSmallProduct) : "larger";
    points.push_back(point);
    if (!csv.Has("kernel_window")) return absl::OkStatus();
    // The same row once more, with the windows that the compiler chose.
    TW_ASSIGN_OR_RETURN(point.matmul_cuts, CutsOf(csv, row));
    point.label += " as cut";
    point.group = "windows given";
    point.counted = false;
    points.push_back(std::move(point));
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<Point>> ReadVectorSet(const Csv& csv, const SetDefaults& defaults) {
  return ReadKernels(csv, [&](Point point, size_t row, std::vector<Point>& points) -> absl::Status {
    TW_ASSIGN_OR_RETURN(const int64_t rows, csv.Integer(row, "dim0", 1));
    TW_ASSIGN_OR_RETURN(const int64_t columns, csv.Integer(row, "dim1", 1));
    const std::string& op = csv.Cell(row, "op");
    point.group = op;
    point.label = fmt::format("{} [{},{}]", op, rows, columns);
    // A single column is an array of one dim in these tables.
    point.spec = fmt::format("zoo:elementwise,op={},dim0={},dim1={}{},dtype={}",
                             op == "binary" ? "binary_step" : op, rows, columns,
                             columns == 1 ? ",vector=1" : "", TypeOf(csv, row, defaults));
    points.push_back(std::move(point));
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<Point>> ReadCopySet(const Csv& csv, const SetDefaults& defaults) {
  return ReadKernels(csv, [&](Point point, size_t row, std::vector<Point>& points) -> absl::Status {
    TW_ASSIGN_OR_RETURN(const int64_t bytes, csv.Integer(row, "bytes", 1));
    point.label = csv.Cell(row, "shape");
    point.spec = fmt::format("zoo:copy,bytes={},dtype={}", bytes, TypeOf(csv, row, defaults));
    point.result_on_chip = true;
    points.push_back(std::move(point));
    return absl::OkStatus();
  });
}

}  // namespace tilewise
