// Published figures, one a row, each with its own workload, machine and unit.
// What a row does not state in columns of its own (spec, clock, ...) is read
// from its sentences, or taken from the project's row of the same id and
// workload.

#include <algorithm>

#include <fmt/format.h>

#include "accuracy/figure_text.h"
#include "accuracy/model_shapes.h"
#include "accuracy/predict.h"
#include "accuracy/read_set.h"
#include "accuracy/run_text.h"
#include "accuracy/workload_text.h"
#include "base/check.h"
#include "graph/training.h"
#include "hardware/target.h"

namespace tilewise {
namespace {

// Figures of larger machines are shown and not counted.
constexpr double kMostChips = 512;
constexpr std::string_view kProjectFile = "measurements.csv";

const Csv& ProjectRows() {
  static const Csv csv = [] {
    absl::StatusOr<Csv> parsed = Csv::Parse(std::string(kProjectFile), PublishedText(kProjectFile));
    TW_CHECK(parsed.ok());
    return *std::move(parsed);
  }();
  return csv;
}

// A row with the project's row behind it.
class Row {
 public:
  Row(const Csv& csv, size_t row) : csv_(csv), row_(row) {
    const Csv& known = ProjectRows();
    for (size_t i = 0; i < known.rows(); ++i) {
      if (known.Cell(i, "id") == Cell("id") && known.Cell(i, "workload") == Cell("workload")) {
        known_ = i;
      }
    }
  }

  const std::string& Cell(std::string_view column) const { return csv_.Cell(row_, column); }
  // Returns what this row says, else what its project says.
  const std::string& Mapped(std::string_view column) const {
    const std::string& own = Cell(column);
    return own.empty() && known_ ? ProjectRows().Cell(*known_, column) : own;
  }
  std::string MappedOr(std::string_view column, const std::string& fallback) const {
    const std::string& stated = Mapped(column);
    return stated.empty() ? fallback : stated;
  }
  double NumberOr(std::string_view column, double fallback) const {
    return ParseNumber(Mapped(column)).value_or(fallback);
  }
  std::string details() const { return Cell("workload") + "; " + Cell("notes"); }
  const Csv& csv() const { return csv_; }
  size_t index() const { return row_; }

 private:
  const Csv& csv_;
  size_t row_;
  std::optional<size_t> known_;
};

std::optional<OptimizerKind> ReadOptimizer(const std::string& text) {
  struct Name {
    std::string_view word;
    OptimizerKind kind;
  };
  constexpr Name kNames[] = {{"adafactor momentum", OptimizerKind::kAdafactorMomentum},
                             {"adafactor", OptimizerKind::kAdafactor},
                             {"lamb", OptimizerKind::kLamb},
                             {"lars", OptimizerKind::kLars},
                             {"adamw", OptimizerKind::kAdamW},
                             {"adam", OptimizerKind::kAdam},
                             {"rmsprop", OptimizerKind::kRmsProp},
                             {"momentum", OptimizerKind::kMomentum},
                             {"sgd", OptimizerKind::kSgd}};
  const TextMatch match(text);
  for (const Name& name : kNames) {
    if (match.Has(name.word)) return name.kind;
  }
  return std::nullopt;
}

double DevicesOf(const Point& point) {
  if (point.chips <= 0) {
    return static_cast<double>(std::max<int64_t>(1, point.cores));
  }
  const absl::StatusOr<Chip> chip = FindChip(point.chip);
  const double per_chip = chip.ok() ? static_cast<double>(chip->cores_per_chip) : 1;
  return std::max(1.0, point.chips * per_chip);
}

// Returns the batch of all devices; 0 when the row does not say.
int64_t GlobalBatch(const Row& row, double devices) {
  const double global = row.NumberOr("batch_global", 0);
  const double per_core = row.NumberOr("batch_per_core", 0);
  const double batch = global > 0 ? global : per_core * devices;
  return batch >= 1 && batch < 1e9 ? static_cast<int64_t>(batch) : 0;
}

bool Counted(const Row& row, const Point& point) {
  const std::string& grade = row.Cell("grade");
  const bool graded = grade.empty() || grade == "A" || grade == "B";
  const TextMatch text(row.Cell("workload"));
  return graded && point.chips <= kMostChips && !text.HasAny({"dcn", "slices"});
}

Clock ClockOf(const Row& row, const Point& point) {
  const std::string& stated = row.Mapped("clock");
  if (stated == "device") return Clock::kDevice;
  if (stated == "call") return Clock::kHostCall;
  if (stated == "loop") return Clock::kTrainLoop;
  if (stated == "run") return Clock::kRun;
  if (!point.spec.starts_with("zoo:")) return Clock::kTrainLoop;
  if (point.training && TextMatch(row.Cell("metric")).Has("total time")) return Clock::kRun;
  const TextMatch text(row.details());
  return text.HasAny({"timed from host", "host-timed", "timed on the host"}) ? Clock::kHostCall
                                                                             : Clock::kDevice;
}

// Recipes of one publisher set what their sentences do not say alike.
void AssumeRecipe(const Row& row, const WorkloadWords& words, WorkloadSpec& found) {
  const bool is_recipe = row.Cell("source").find("tpu-recipes") != std::string::npos;
  if (!is_recipe || !words.training || !found.spec.starts_with("zoo:decoder")) return;
  found.spec += ",lookup=one_hot";
  found.assumed.emplace_back("lookups by one-hot matmuls");
  if (!words.text.Has("flash attention")) return;
  found.spec += ",q_block=2048,kv_block=2048,grad_sweeps=1";
  found.assumed.emplace_back("attention in blocks of 2,048");
}

WorkloadSpec WorkloadOf(const Row& row, const Point& point, double devices) {
  const WorkloadWords words = {.text = TextMatch(row.Cell("workload")),
                               .details = TextMatch(row.details()),
                               .dtype = ReadDType(row.Cell("dtype")),
                               .training = point.training,
                               .global_batch = point.global_batch};
  WorkloadSpec found = ReadWorkload(words, devices);
  if (const std::string& spec = row.Mapped("spec"); !spec.empty()) {
    found.spec = spec;
    found.reason.clear();
    found.assumed.clear();
  } else {
    AssumeRecipe(row, words, found);
  }
  if (const std::string& mesh = row.Mapped("mesh"); !mesh.empty()) {
    found.mesh = mesh;
  }
  std::vector<std::string> assumed;
  found.remat = RematIn(words.text, assumed);
  if (row.Mapped("remat").empty()) {
    found.assumed.insert(found.assumed.end(), assumed.begin(), assumed.end());
  }
  found.remat = row.MappedOr("remat", found.remat);
  found.slices = static_cast<int64_t>(row.NumberOr("slices", static_cast<double>(found.slices)));
  found.moved_bytes = row.NumberOr("moved_bytes", found.moved_bytes);
  return found;
}

// Shares the positions of sequences out where they are fewer than the shards of
// the batch, as far as the source names no other axis for it.
std::string ShareShortBatch(const Point& point, const std::string& text) {
  const absl::StatusOr<Target> target = TargetOf(point, {});
  if (!target.ok() || point.global_batch <= 0) return text;
  Mesh mesh = target->mesh;
  const int64_t shards = target->batch_shards();
  if (mesh.context > 1 || shards % point.global_batch != 0) return text;
  const int64_t sharing = shards / point.global_batch;
  if (sharing < 2) return text;
  for (int64_t Mesh::*axis : {&Mesh::fsdp, &Mesh::data}) {
    if (mesh.*axis % sharing != 0) continue;
    mesh.*axis /= sharing;
    mesh.context = sharing;
    return FormatMesh(mesh);
  }
  return text;
}

double TokensOf(const std::string& spec) {
  const TextMatch text(spec);
  return static_cast<double>(text.First({",seq=([0-9]+)"}).value_or(0));
}

absl::StatusOr<Figure> FigureOf(const Row& row, const Point& point, const WorkloadSpec& workload,
                                double devices) {
  FigureWords words = {.metric = TextMatch(row.Cell("metric")),
                       .unit = row.Cell("unit"),
                       .details = TextMatch(row.details()),
                       .global_batch = static_cast<double>(point.global_batch),
                       .devices = devices,
                       .chips = point.chips > 0 ? point.chips : devices,
                       .seq = TokensOf(workload.spec),
                       .moved_bytes = workload.moved_bytes,
                       .steps = row.NumberOr("steps", 0),
                       .training = point.training};
  TW_ASSIGN_OR_RETURN(Figure figure, ReadFigure(words));
  figure.steps = row.NumberOr("steps", figure.steps);
  figure.evaluations = row.NumberOr("evaluations", figure.evaluations);
  if (row.Mapped("flops") == "parameters") {
    figure.tokens_by_parameters = words.global_batch * words.seq;
  }
  return figure;
}

// Sweeps of fully connected networks are fed as those of their table: a host
// loop that sends whole batches.
void TakeDenseLoop(const Row& row, Point& point) {
  if (!point.spec.starts_with("zoo:mlp,") || !point.training || !row.Mapped("clock").empty()) {
    return;
  }
  const TextMatch spec(point.spec);
  const auto input = spec.First({",input=([0-9]+)"});
  const auto output = spec.First({",output=([0-9]+)"});
  if (!input || !output) return;
  RunAsDenseSweep(*input, *output, point);
  if (!point.host.empty()) return;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.kind == "paradnn") point.host = set.host;
  }
}

// A token of a server's answer takes its step and its share of the prompts of
// those who come next, where the sentence says how long both are.
void TakePrompts(const Row& row, Point& point) {
  const TextMatch text(row.Cell("workload"));
  const auto tokens = text.Find("([0-9]+) in ?/ ?([0-9]+) out");
  const auto slots = TextMatch(point.spec).First({",slots=([0-9]+)"});
  if (!tokens || !slots || point.training || (*tokens)[1] < 1) return;
  point.prompt = PromptOf(point.spec, static_cast<int64_t>((*tokens)[0]));
  point.prompts_per_step = static_cast<double>(*slots) / (*tokens)[1];
}

// Epochs of a whole program are simulated as its loop runs them.
void TakeEpoch(const Row& row, Point& point) {
  const TextMatch metric(row.Cell("metric"));
  if (point.clock != Clock::kTrainLoop || !metric.Has("epoch")) return;
  const double examples = point.figure.steps * static_cast<double>(point.global_batch);
  point.examples_per_epoch = static_cast<int64_t>(examples + 0.5);
}

absl::StatusOr<Point> ReadRow(const Row& row) {
  Point point;
  point.line = row.csv().line(row.index());
  point.label = row.Cell("id");
  point.source = MeasuredBy(row.Cell("source"));
  point.group = row.Cell("kind");
  TW_RETURN_IF_ERROR(ReadMachineColumns(row.csv(), row.index(), point));
  if (point.host.empty()) point.host = row.Mapped("host");
  point.training = row.Cell("mode") == "train";
  point.optimizer = ReadOptimizer(row.Cell("optimizer"));
  point.counted = Counted(row, point);
  const double devices = DevicesOf(point);
  point.global_batch = static_cast<int64_t>(
      row.NumberOr("examples", static_cast<double>(GlobalBatch(row, devices))));
  const WorkloadSpec workload = WorkloadOf(row, point, devices);
  point.spec = workload.spec;
  point.mesh = workload.mesh;
  point.assumed = workload.assumed;
  point.remat = workload.remat;
  point.xla_flags = row.MappedOr("xla_flags", FlagIn(TextMatch(row.Cell("workload"))));
  point.slices = workload.slices;
  point.matmul_cuts = workload.matmul_cuts;
  point.not_simulated = workload.reason;
  if (point.spec.empty()) return point;
  if (point.spec.starts_with("zoo:decoder") && point.training) {
    const std::string shared = ShareShortBatch(point, point.mesh);
    if (shared != point.mesh) point.assumed.push_back("mesh " + shared);
    point.mesh = shared;
  }
  if (!point.assumed.empty()) point.group += ", in part assumed";
  point.clock = ClockOf(row, point);
  if (point.clock == Clock::kRun) point.group += ", from end to end";
  TakePrompts(row, point);
  TakeDenseLoop(row, point);
  if (const double steps = row.NumberOr("steps_per_execution", 0); steps >= 1) {
    point.steps_per_execution = static_cast<int64_t>(steps);
  }
  TW_ASSIGN_OR_RETURN(const double value, row.csv().Number(row.index(), "value"));
  absl::StatusOr<Figure> figure = FigureOf(row, point, workload, devices);
  if (!figure.ok()) {
    point.not_simulated = Message(figure.status());
    return point;
  }
  point.figure = *std::move(figure);
  point.figure.value = value;
  point.figure.unit = row.Cell("unit");
  TakeEpoch(row, point);
  if (value <= 0 && point.figure.quantity != Quantity::kFits) {
    point.not_simulated = "found no positive value";
  }
  return point;
}

}  // namespace

absl::StatusOr<std::vector<Point>> ReadMeasurements(const Csv& csv, const SetDefaults&) {
  std::vector<Point> points;
  for (size_t row = 0; row < csv.rows(); ++row) {
    TW_ASSIGN_OR_RETURN(Point point, ReadRow(Row(csv, row)));
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace tilewise
