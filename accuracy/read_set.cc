// The table of kinds, and the columns that all have in common.

#include "accuracy/read_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "accuracy/csv.h"

namespace tilewise {
namespace {

constexpr std::string_view kOddGemm[] = {
    "m", "n", "k", "kernel_window", "input_window", "output_window", "iterations", "device_us"};
constexpr std::string_view kGemm[] = {"m", "n", "k", "device_us"};
constexpr std::string_view kVector[] = {"op", "dim0", "dim1", "device_us"};
constexpr std::string_view kCopy[] = {"bytes", "shape", "device_us"};
constexpr std::string_view kParaDnn[] = {"layers", "nodes",        "input",
                                         "output", "batch_global", "steps_per_s"};
constexpr std::string_view kTileRuns[] = {"run", "execution_profile_fields", "config"};
constexpr std::string_view kMemory[] = {"id", "metric", "value", "limit_gib", "spec"};
constexpr std::string_view kPipelines[] = {"id",          "stages", "host",  "dataset",
                                           "parallelism", "metric", "value", "unit"};
constexpr std::string_view kMeasurements[] = {"id", "workload", "metric", "value", "unit"};

constexpr SetKind kKinds[] = {
    {"odd-gemm", kOddGemm, ReadGemmSet},
    {"gemm", kGemm, ReadGemmSet},
    {"vector", kVector, ReadVectorSet},
    {"copy", kCopy, ReadCopySet},
    {"paradnn", kParaDnn, ReadDenseSet},
    {"tile-runs", kTileRuns, ReadTileRuns},
    {"memory", kMemory, ReadMemorySet},
    {"pipelines", kPipelines, ReadPipelineSet},
    {"measurements", kMeasurements, ReadMeasurements},
};

constexpr int64_t kMostCores = 1 << 20;

// "folder/tpu-v4-gemm.csv" -> "tpu-v4-gemm".
std::string Stem(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  const size_t dot = file.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
}

// The published set of that name, else the first of that kind.
SetDefaults DefaultsOf(const std::string& name, std::string_view kind) {
  const SetDefaults* found = nullptr;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.kind != kind) continue;
    if (found == nullptr || set.name == name) found = &set;
  }
  return found ? *found : SetDefaults{};
}

}  // namespace

std::span<const SetKind> SetKinds() { return kKinds; }

absl::StatusOr<const SetKind*> KindOf(const Csv& csv) {
  std::vector<std::string> known;
  for (const SetKind& kind : kKinds) {
    if (std::all_of(kind.columns.begin(), kind.columns.end(),
                    [&](std::string_view column) { return csv.Has(column); })) {
      return &kind;
    }
    known.push_back(fmt::format("{} ({})", kind.name, fmt::join(kind.columns, ",")));
  }
  return InvalidInput(fmt::format("{}: found columns {}, expected those of {}", csv.name(),
                                  fmt::format("{}", fmt::join(csv.columns(), ",")).substr(0, 200),
                                  fmt::join(known, ", ")));
}

std::string MeasuredBy(const std::string& text) {
  return text.substr(0, text.find_first_of(" ;,("));
}

absl::Status ReadMachineColumns(const Csv& csv, size_t row, Point& point) {
  point.chip = csv.Cell(row, "chip");
  point.host = csv.Cell(row, "host");
  point.mesh = csv.Cell(row, "mesh");
  if (!csv.Cell(row, "chips").empty()) {
    TW_ASSIGN_OR_RETURN(point.chips, csv.Number(row, "chips"));
    if (point.chips <= 0 || point.chips > kMostCores) {
      return csv.Error(row, "chips", "a number of chips");
    }
  } else if (!csv.Cell(row, "cores").empty()) {
    TW_ASSIGN_OR_RETURN(point.cores, csv.Integer(row, "cores", 1));
    if (point.cores > kMostCores) {
      return csv.Error(row, "cores", "a number of cores");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<MeasuredSet> ReadMeasuredSet(const std::string& path, std::string_view text) {
  TW_ASSIGN_OR_RETURN(const Csv csv, Csv::Parse(path, text));
  TW_ASSIGN_OR_RETURN(const SetKind* kind, KindOf(csv));
  MeasuredSet set;
  set.name = Stem(path);
  set.kind = kind->name;
  set.published = DefaultsOf(set.name, kind->name);
  set.rows = csv.rows();
  TW_ASSIGN_OR_RETURN(set.points, kind->read(csv, set.published));
  return set;
}

NamedMachine MachineFor(const NamedMachine& user, const SetDefaults& set) {
  NamedMachine machine = user;
  const bool own_chip = !machine.chip.empty();
  if (!own_chip) machine.chip = set.chip;
  if (machine.host.empty() && !own_chip) machine.host = set.host;
  if (machine.cores == 0) machine.cores = set.cores;
  return machine;
}

}  // namespace tilewise
