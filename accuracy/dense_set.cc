// ParaDnn's fully connected networks: training steps per second, or out of
// memory, at several batch sizes each. RMSProp with momentum, 100 iterations a
// loop of TPUEstimator, an input function that makes whole batches at random.

#include <fmt/format.h>

#include "accuracy/set_kinds.h"

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

}  // namespace tilewise
