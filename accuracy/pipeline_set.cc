// Published input pipelines, their stages and stores: rates, times and ratios of
// chains of stages on a host. A row is simulated from what it says of its chain,
// its items and its machine; its figure and its notes are not looked at.

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "accuracy/pipeline_text.h"
#include "accuracy/published.h"
#include "accuracy/read_set.h"
#include "accuracy/text_match.h"
#include "base/check.h"

namespace tilewise {
namespace {

PipelineText TextOf(const Csv& csv, size_t row) {
  return {.framework = csv.Cell(row, "framework"),
          .host = csv.Cell(row, "host"),
          .dataset = csv.Cell(row, "dataset"),
          .stages = csv.Cell(row, "stages"),
          .parallelism = csv.Cell(row, "parallelism"),
          .conditions = csv.Cell(row, "conditions")};
}

// Items that a run over the whole set takes.
absl::StatusOr<double> ItemsOf(const PipelineText& text) {
  const TextMatch words(text.dataset);
  const auto items = words.First({"([0-9]+) items of", "range\\(([0-9]+)\\)", "([0-9]+) records"});
  if (!items) return InvalidInput("how many items the run takes is not told");
  const auto epochs = TextMatch(text.conditions).First({"([0-9]+) epochs"}).value_or(1);
  return static_cast<double>(*items * epochs);
}

// How the unit of a figure follows from the time of a step.
absl::Status SetUnit(const std::string& unit, const PipelineText& text, const ChainRun& chain,
                     Figure& figure) {
  const auto batch = static_cast<double>(chain.run.batch);
  const std::map<std::string, std::pair<Quantity, double>> known = {
      {"items/s", {Quantity::kRate, batch}},
      {"items/s/core", {Quantity::kRate, batch}},
      {"batches/s", {Quantity::kRate, 1}},
      {"batches/s/core", {Quantity::kRate, 1}},
      {"steps/s", {Quantity::kRate, 1}},
      {"MB/s", {Quantity::kRate, batch * chain.item_bytes / 1e6}},
      {"GB/s", {Quantity::kRate, batch * chain.item_bytes / 1e9}},
      {"us/item", {Quantity::kTime, 1e6 / batch}},
      {"ms/item", {Quantity::kTime, 1e3 / batch}},
      {"ms/batch", {Quantity::kTime, 1e3}},
      {"ms/step", {Quantity::kTime, 1e3}},
      {"x", {Quantity::kRate, 1}},
  };
  figure.unit = unit;
  if (unit == "s") {
    TW_ASSIGN_OR_RETURN(const double items, ItemsOf(text));
    figure.quantity = Quantity::kTime;
    figure.scale = items / batch;
    return absl::OkStatus();
  }
  const auto found = known.find(unit);
  if (found == known.end()) return InvalidInput(fmt::format("'{}' is no time or rate", unit));
  figure.quantity = found->second.first;
  figure.scale = found->second.second;
  return absl::OkStatus();
}

// "speed-up over 1 thread": the same chain with one.
absl::StatusOr<std::optional<PipelineRun>> BaselineOf(const PipelineText& text,
                                                      const std::string& unit) {
  if (unit != "x") return std::optional<PipelineRun>();
  if (text.conditions.find("over 1 thread") == std::string::npos) {
    return InvalidInput("what the ratio is to is not told in full");
  }
  PipelineText one = text;
  one.parallelism = "1 threads";
  TW_ASSIGN_OR_RETURN(const ChainParallelism parallelism, ParseParallelism(one));
  TW_ASSIGN_OR_RETURN(ChainRun chain, ReadChain(one, parallelism));
  return std::optional(std::move(chain.run));
}

absl::Status ReadRun(const PipelineText& text, const std::string& unit, Point& point) {
  TW_ASSIGN_OR_RETURN(const ChainParallelism parallelism, ParseParallelism(text));
  TW_ASSIGN_OR_RETURN(ChainRun chain, ReadChain(text, parallelism));
  TW_RETURN_IF_ERROR(SetUnit(unit, text, chain, point.figure));
  TW_ASSIGN_OR_RETURN(std::optional<PipelineRun> baseline, BaselineOf(text, unit));
  point.assumed = std::move(chain.assumed);
  point.input = std::make_shared<PipelineComparison>(
      PipelineComparison{std::move(chain.run), std::move(baseline)});
  return absl::OkStatus();
}

// Sources are listed by how their names start.
bool ConstantsComeFrom(const std::string& source) {
  const absl::StatusOr<Csv> fits =
      Csv::Parse("pipeline-fits.csv", PublishedText("pipeline-fits.csv"));
  TW_CHECK(fits.ok());
  for (size_t row = 0; row < fits->rows(); ++row) {
    if (source.starts_with(fits->Cell(row, "source"))) return true;
  }
  return false;
}

absl::StatusOr<Point> PipelinePoint(const Csv& csv, size_t row) {
  Point point;
  point.line = csv.line(row);
  point.label = csv.Cell(row, "id");
  point.source = csv.Cell(row, "source");
  point.in_sample = ConstantsComeFrom(point.source);
  const PipelineText text = TextOf(csv, row);
  const std::string& unit = csv.Cell(row, "unit");
  const std::string& kind = csv.Cell(row, "kind");
  point.group = unit == "x" ? "ratio" : kind;
  point.spec = text.stages;
  point.counted = csv.Cell(row, "grade") != "C";
  TW_ASSIGN_OR_RETURN(point.figure.value, csv.Number(row, "value"));
  if (point.figure.value <= 0) return csv.Error(row, "value", "a positive number");
  if (kind == "host-loop" || kind == "transfer") {
    point.not_simulated = "a host loop or transfer without a pipeline";
    return point;
  }
  const absl::Status read = ReadRun(text, unit, point);
  if (!read.ok()) point.not_simulated = Message(read);
  const std::string data = text.dataset.substr(0, text.dataset.find(';'));
  if (unit != "x") point.variants = fmt::format("{}|{}|{}|{}", point.source, text.host, data, unit);
  return point;
}

}  // namespace

absl::StatusOr<std::vector<Point>> ReadPipelineSet(const Csv& csv, const SetDefaults&) {
  std::vector<Point> points;
  for (size_t row = 0; row < csv.rows(); ++row) {
    TW_ASSIGN_OR_RETURN(Point point, PipelinePoint(csv, row));
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace tilewise
