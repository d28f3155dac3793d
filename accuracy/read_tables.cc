// Tables whose rows are alike. ParaDnn's fully connected networks: training
// steps per second, or out of memory, at several batch sizes each; RMSProp with
// momentum, 100 iterations a loop of TPUEstimator, an input function that makes
// whole batches at random. Device times of single kernels: matmuls, elementwise
// kernels, copies. Runs of one compiled kernel with different windows, beside
// the kernel's file (kernel.hlo.pb.runs.csv): of XLA's ExecutionProfile, field 4
// is the time on the device in nanoseconds.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "accuracy/read_set.h"
#include "accuracy/text_match.h"

namespace tilewise {
namespace {

constexpr int64_t kIterationsPerLoop = 100;
constexpr int64_t kElementBytes = 4;
constexpr char kOutOfMemory[] = "OOM";

absl::StatusOr<Point> DensePoint(const Csv& csv, size_t row, const SetDefaults& defaults) {
  Point point;
  point.line = csv.line(row);
  TW_RETURN_IF_ERROR(ReadMachineColumns(csv, row, point));
  TW_ASSIGN_OR_RETURN(const int64_t layers, csv.Integer(row, "layers", 0));
  TW_ASSIGN_OR_RETURN(const int64_t nodes, csv.Integer(row, "nodes", 1));
  TW_ASSIGN_OR_RETURN(const int64_t input, csv.Integer(row, "input", 1));
  TW_ASSIGN_OR_RETURN(const int64_t output, csv.Integer(row, "output", 1));
  TW_ASSIGN_OR_RETURN(point.global_batch, csv.Integer(row, "batch_global", 1));
  point.network = fmt::format("{}x{} in {} out {}", layers, nodes, input, output);
  point.label = fmt::format("{} batch {}", point.network, point.global_batch);
  point.spec = fmt::format("zoo:mlp,layers={},nodes={},input={},output={},dtype={}", layers, nodes,
                           input, output, defaults.dtype);
  point.training = true;
  point.optimizer = OptimizerKind::kRmsPropMomentum;
  RunAsDenseSweep(input, output, point);
  point.figure.quantity = Quantity::kRate;
  point.figure.unit = "steps/s";
  point.out_of_memory = csv.Cell(row, "steps_per_s") == kOutOfMemory;
  if (point.out_of_memory) return point;
  TW_ASSIGN_OR_RETURN(point.figure.value, csv.Number(row, "steps_per_s"));
  if (point.figure.value <= 0) {
    return csv.Error(row, "steps_per_s", "a positive number or OOM");
  }
  return point;
}

// The largest dim of the matmuls that constants were fitted on.
constexpr int64_t kSmallMatmul = 1024;

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

constexpr std::string_view kSuffix = ".runs.csv";

// "folder/a.hlo.pb.runs.csv" -> "a.hlo.pb"; empty for other names.
std::string KernelFileOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  if (!file.ends_with(kSuffix)) return "";
  file.resize(file.size() - kSuffix.size());
  return file;
}

// "3=9;4=2500;5=2500" -> 2500.
absl::StatusOr<double> Nanoseconds(const Csv& csv, size_t row) {
  std::string_view text = csv.Cell(row, "execution_profile_fields");
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    if (!field.starts_with("4=")) continue;
    const std::optional<double> number = ParseNumber(field.substr(2));
    if (number && *number > 0) return *number;
  }
  return csv.Error(row, "execution_profile_fields", "4=, the time on the device in ns");
}

}  // namespace

void RunAsDenseSweep(int64_t input, int64_t output, Point& point) {
  point.clock = Clock::kTrainLoop;
  point.framework = Framework::kTpuEstimator;
  point.steps_per_execution = kIterationsPerLoop;
  point.whole_batch_source = true;
  point.bytes_per_example = {kElementBytes * (input + output)};
  point.one_hot_bytes_per_example = {kElementBytes * output};
}

absl::StatusOr<std::vector<Point>> ReadDenseSet(const Csv& csv, const SetDefaults& defaults) {
  std::vector<Point> points;
  for (size_t row = 0; row < csv.rows(); ++row) {
    TW_ASSIGN_OR_RETURN(Point point, DensePoint(csv, row, defaults));
    points.push_back(std::move(point));
  }
  return points;
}

absl::StatusOr<std::vector<Point>> ReadGemmSet(const Csv& csv, const SetDefaults& defaults) {
  return ReadKernels(csv, [&](Point point, size_t row, std::vector<Point>& points) -> absl::Status {
    TW_ASSIGN_OR_RETURN(const int64_t m, csv.Integer(row, "m", 1));
    TW_ASSIGN_OR_RETURN(const int64_t n, csv.Integer(row, "n", 1));
    TW_ASSIGN_OR_RETURN(const int64_t k, csv.Integer(row, "k", 1));
    point.label = fmt::format("[{},{}] x [{},{}]", m, k, k, n);
    point.spec =
        fmt::format("zoo:gemm,m={},n={},k={},dtype={}", m, n, k, TypeOf(csv, row, defaults));
    point.group =
        std::max({m, n, k}) <= kSmallMatmul ? fmt::format("dims to {}", kSmallMatmul) : "larger";
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

absl::StatusOr<std::vector<Point>> ReadTileRuns(const Csv& csv, const SetDefaults&) {
  const std::string kernel = KernelFileOf(csv.name());
  if (kernel.empty()) {
    return InvalidInput(
        fmt::format("{}: found another name, expected the kernel's file with {} after it",
                    csv.name(), kSuffix));
  }
  std::vector<Point> points;
  points.reserve(csv.rows());
  for (size_t row = 0; row < csv.rows(); ++row) {
    Point point;
    point.line = csv.line(row);
    TW_RETURN_IF_ERROR(ReadMachineColumns(csv, row, point));
    const std::string& config = csv.Cell(row, "config");
    const absl::StatusOr<StatedWindows> windows = ParseStatedWindows(config);
    if (!windows.ok()) {
      return csv.Error(row, "config", Message(windows.status()));
    }
    point.label = fmt::format("run {}: {}", csv.Cell(row, "run"), config);
    point.spec = kernel;
    point.windows = *windows;
    if (!windows->any()) {
      point.not_simulated = "the table states no windows of this kernel";
    }
    point.figure.quantity = Quantity::kTime;
    point.figure.scale = 1e6;
    point.figure.unit = "us";
    TW_ASSIGN_OR_RETURN(const double ns, Nanoseconds(csv, row));
    point.figure.value = ns / 1e3;
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace tilewise
