// HBM of published programs: what a compiler said it uses, what a run had at its
// peak, or a verdict. The workload is a command line, as after `tilewise
// simulate`; what it does not say of types is read from the row's sentences.

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "accuracy/read_set.h"
#include "accuracy/text_match.h"

namespace tilewise {
namespace {

// The flags of a command line with their values, and what stands before them.
struct CommandWords {
  std::string workload;
  std::map<std::string, std::string> flags;
};

// Errors: a word that is neither.
absl::StatusOr<CommandWords> SplitCommand(const std::string& text) {
  CommandWords words;
  std::istringstream in(text);
  std::string word;
  while (in >> word) {
    if (!word.starts_with("--")) {
      if (!words.workload.empty()) return InvalidInput(fmt::format("found word '{}'", word));
      words.workload = word;
      continue;
    }
    std::string& value = words.flags[word];
    if (word == "--infer") continue;
    if (!(in >> std::quoted(value)))
      return InvalidInput(fmt::format("found {} without a value", word));
  }
  return words;
}

absl::Status SetFlag(const std::string& flag, const std::string& value, Point& point,
                     int64_t& batch_per_core, double& batch_per_device) {
  const auto number = [&] { return static_cast<int64_t>(ParseNumber(value).value_or(0)); };
  if (flag == "--chip") {
    point.chip = value;
  } else if (flag == "--cores") {
    point.cores = number();
  } else if (flag == "--slices") {
    point.slices = std::max<int64_t>(1, number());
  } else if (flag == "--mesh") {
    point.mesh = value;
  } else if (flag == "--batch") {
    point.global_batch = number();
  } else if (flag == "--batch-per-core" || flag == "--batch-per-shard") {
    batch_per_core = number();
  } else if (flag == "--batch-per-device") {
    batch_per_device = ParseNumber(value).value_or(0);
  } else if (flag == "--optimizer") {
    point.optimizer = ParseOptimizer(value);
  } else if (flag == "--remat") {
    point.remat = value;
  } else if (flag == "--mu-dtype") {
    point.momentum_type = ParseDType(value);
  } else if (flag == "--grad-dtype") {
    point.gradient_type = ParseDType(value);
  } else if (flag == "--xla-flags") {
    point.xla_flags = value;
  } else if (flag == "--infer") {
    point.training = false;
  } else {
    return InvalidInput(fmt::format("found {}, which this table has no column for", flag));
  }
  return absl::OkStatus();
}

// "AdamW, mu in bf16"; "mu and gradients in bf16".
void ReadTypes(const Csv& csv, size_t row, Point& point) {
  const TextMatch words(csv.Cell(row, "optimizer") + "; " + csv.Cell(row, "other"));
  if (!point.momentum_type && words.HasAny({"mu in bf16", "mu and gradients in bf16"})) {
    point.momentum_type = DType::kBF16;
  }
  if (!point.gradient_type && words.Has("gradients in bf16")) point.gradient_type = DType::kBF16;
}

absl::Status ReadFigure(const Csv& csv, size_t row, Point& point) {
  const std::string& metric = csv.Cell(row, "metric");
  TW_ASSIGN_OR_RETURN(const double value, csv.Number(row, "value"));
  TW_ASSIGN_OR_RETURN(const double limit, csv.Number(row, "limit_gib"));
  const bool is_verdict = metric == "fits" || metric == "largest_batch" || metric == "oom";
  if (is_verdict) {
    point.figure.quantity = Quantity::kFits;
    point.figure.value = metric == "oom" ? 0 : 1;
    return absl::OkStatus();
  }
  if (metric != "used_gib" && metric != "peak_gib") {
    return csv.Error(row, "metric", "used_gib, peak_gib, fits, largest_batch or oom");
  }
  if (value <= 0) return csv.Error(row, "value", "a positive number");
  point.figure.quantity = Quantity::kPeak;
  point.figure.unit = "GiB";
  point.figure.value = value;
  point.out_of_memory = metric == "used_gib" && value > limit;
  return absl::OkStatus();
}

absl::Status ReadSpec(const std::string& spec, Point& point) {
  TW_ASSIGN_OR_RETURN(const CommandWords words, SplitCommand(spec));
  point.spec = words.workload;
  int64_t batch_per_core = 0;
  double batch_per_device = 0;
  for (const auto& [flag, value] : words.flags) {
    TW_RETURN_IF_ERROR(SetFlag(flag, value, point, batch_per_core, batch_per_device));
  }
  if (batch_per_core == 0 && batch_per_device == 0) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const Target target, TargetOf(point, {}));
  const double of_devices = batch_per_device * static_cast<double>(target.cores);
  point.global_batch = batch_per_core > 0 ? batch_per_core * target.batch_shards()
                                          : static_cast<int64_t>(of_devices + 0.5);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Point>> ReadMemorySet(const Csv& csv, const SetDefaults&) {
  std::vector<Point> points;
  for (size_t row = 0; row < csv.rows(); ++row) {
    Point point;
    point.line = csv.line(row);
    point.label = csv.Cell(row, "id");
    point.source = MeasuredBy(csv.Cell(row, "source"));
    point.training = true;
    const std::string& grade = csv.Cell(row, "grade");
    point.counted = grade.empty() || grade == "A" || grade == "B";
    TW_RETURN_IF_ERROR(ReadFigure(csv, row, point));
    const absl::Status read = ReadSpec(csv.Cell(row, "spec"), point);
    ReadTypes(csv, row, point);
    if (!read.ok()) point.not_simulated = Message(read);
    if (point.spec.empty()) point.not_simulated = "no workload stands for it";
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace tilewise
