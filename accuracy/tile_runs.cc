// Runs of one compiled kernel with different windows, beside the kernel's file:
// kernel.hlo.pb.runs.csv. Of XLA's ExecutionProfile, field 4 is the time on the
// device in nanoseconds.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "accuracy/set_kinds.h"

namespace tilewise {
namespace {

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
