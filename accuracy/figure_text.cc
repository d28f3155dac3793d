// Metrics fall into a few families, told by words of their name.

#include "accuracy/figure_text.h"

#include <cmath>

#include <fmt/format.h>

namespace tilewise {
namespace {

struct Unit {
  std::string_view name;
  double per_second;  // units in a second
};
constexpr Unit kTimeUnits[] = {{"ns", 1e9}, {"us", 1e6},       {"ms", 1e3},
                               {"s", 1},    {"min", 1.0 / 60}, {"h", 1.0 / 3600}};

std::optional<double> UnitsPerSecond(const std::string& unit) {
  for (const Unit& known : kTimeUnits) {
    if (known.name == unit) return known.per_second;
  }
  return std::nullopt;
}

// Examples of a public dataset's parts for training and for evaluation.
struct DatasetSize {
  std::string_view name;
  double examples, evaluated;
};
constexpr DatasetSize kDatasets[] = {{"imagenet", 1281167, 50000},
                                     {"cifar", 50000, 10000},
                                     {"coco", 118287, 5000},
                                     {"mnli", 392702, 9815},
                                     {"sst-2", 67349, 872}};

double ExamplesPerEpoch(const TextMatch& text) {
  const auto stated = text.Find(
      "([0-9][0-9,]{3,}) (?:packed |training |train )?(?:examples|images|sequences|samples)");
  if (stated) return stated->front();
  for (const DatasetSize& dataset : kDatasets) {
    if (text.Has(dataset.name)) return dataset.examples;
  }
  return 0;
}

absl::Status Missing(std::string_view what) {
  return InvalidInput(fmt::format("found no {}", what));
}

// Steps of the span of a total or epoch time.
absl::StatusOr<double> StepsOf(const FigureWords& words, bool epoch) {
  const TextMatch& text = words.details;
  if (!epoch) {
    if (const auto thousands = text.Find("([0-9]+\\.?[0-9]*)k steps")) {
      return thousands->front() * 1000;
    }
    if (const auto steps = text.Find("([0-9][0-9,]*) steps")) {
      return steps->front();
    }
  }
  const double examples = ExamplesPerEpoch(text);
  if (examples == 0) return Missing("number of steps or examples");
  if (words.global_batch == 0) return Missing("batch size");
  const auto epochs = text.Find("([0-9]+) epochs");
  if (!epoch && !epochs) return Missing("number of epochs");
  return (epoch ? 1 : epochs->front()) * examples / words.global_batch;
}

// Batches of the evaluations that a run says it has after each epoch.
double EvaluationsOf(const FigureWords& words) {
  const TextMatch& text = words.details;
  const auto epochs = text.Find("([0-9]+) epochs");
  const bool each = text.HasAny({"eval every epoch", "evaluation every epoch", "eval per epoch"});
  if (!each || !epochs || words.global_batch == 0) return 0;
  for (const DatasetSize& dataset : kDatasets) {
    if (text.Has(dataset.name)) {
      return epochs->front() * std::ceil(dataset.evaluated / words.global_batch);
    }
  }
  return 0;
}

absl::StatusOr<Figure> ReadTime(const FigureWords& words, double per_second) {
  Figure figure;
  figure.quantity = Quantity::kTime;
  figure.scale = per_second;
  const TextMatch& metric = words.metric;
  if (metric.HasAny({"compile", "init", "first"})) {
    return InvalidInput("found a time of compilation or start-up");
  }
  if (metric.Has("total")) figure.evaluations = EvaluationsOf(words);
  if (words.steps > 0) {
    figure.steps = words.steps;
    return figure;
  }
  if (metric.Has("block")) {
    const auto block = words.details.Find("([0-9]+) training steps.*eval of ([0-9]+) sequences");
    if (!block || words.global_batch == 0) return Missing("steps of the block");
    figure.steps = (*block)[0];
    figure.evaluations = (*block)[1] / words.global_batch;
    return figure;
  }
  const bool epoch = metric.Has("epoch");
  if (epoch || metric.Has("total")) {
    TW_ASSIGN_OR_RETURN(figure.steps, StepsOf(words, epoch));
  } else if (const auto steps = metric.First({"([0-9]+) steps"})) {
    figure.steps = static_cast<double>(*steps);
  }
  return figure;
}

// Returns what a rate of examples or FLOPs is divided by.
double Share(const FigureWords& words) {
  const TextMatch metric(words.metric.text() + " " + words.unit);
  if (metric.HasAny({"/chip", "per chip"})) return words.chips;
  if (metric.HasAny({"/core", "per core", "/device", "per device"})) {
    return words.devices;
  }
  return 1;
}

absl::StatusOr<Figure> ReadExampleRate(const FigureWords& words, bool tokens) {
  Figure figure;
  figure.quantity = Quantity::kRate;
  if (words.global_batch == 0) return Missing("batch size");
  if (tokens && words.seq == 0) return Missing("tokens of an example");
  figure.scale = words.global_batch * (tokens ? words.seq : 1) / Share(words);
  // Over a span whose steps are stated.
  if (words.steps > 0) figure.scale *= words.steps;
  // A rate over a block of epochs that an evaluation ends.
  if (const auto epochs = words.metric.First({"([0-9]+)-epoch block"})) {
    const double examples = ExamplesPerEpoch(words.details) * static_cast<double>(*epochs);
    const auto evaluated = words.details.Find("one ([0-9]+)k-image eval");
    if (examples == 0) return Missing("number of examples");
    figure.scale = examples / Share(words);
    figure.steps = examples / words.global_batch;
    figure.evaluations = evaluated ? std::ceil(evaluated->front() * 1000 / words.global_batch) : 0;
  }
  return figure;
}

absl::StatusOr<Figure> ReadBandwidth(const FigureWords& words) {
  Figure figure;
  figure.quantity = Quantity::kRate;
  if (words.moved_bytes == 0) return Missing("number of bytes");
  double unit = 0;
  if (words.unit == "GB/s") unit = 1e9;
  if (words.unit == "GiB/s") unit = 1073741824.0;
  if (words.unit == "TB/s") unit = 1e12;
  if (unit == 0) return Missing("unit of bandwidth");
  figure.scale = words.moved_bytes / unit;
  return figure;
}

// FLOPs are counted per device.
Figure ReadFlopRate(const FigureWords& words, double unit) {
  Figure figure;
  figure.quantity = Quantity::kModelRate;
  const double share = Share(words);
  figure.scale = unit * words.devices / share;
  return figure;
}

Figure Plain(Quantity quantity, double scale) {
  Figure figure;
  figure.quantity = quantity;
  figure.scale = scale;
  return figure;
}

}  // namespace

absl::StatusOr<Figure> ReadFigure(const FigureWords& words) {
  const TextMatch& metric = words.metric;
  const TextMatch unit(words.unit);
  if (metric.HasAny({"mfu", "model flops utilization"}) && unit.Has("%")) {
    return Plain(Quantity::kModelUse, 100);
  }
  if (metric.Has("percent of peak") && unit.Has("%")) {
    return Plain(Quantity::kDeviceUse, 100);
  }
  if (metric.Has("fits") && words.unit == "bool") {
    return Plain(Quantity::kFits, 1);
  }
  if (metric.Has("max images per core")) return Plain(Quantity::kFits, 1);
  if (metric.Has("bandwidth")) return ReadBandwidth(words);
  if (unit.Has("tflop/s") || metric.Has("tflop/s")) {
    return ReadFlopRate(words, 1e-12);
  }
  if (unit.HasAny({"tok/s", "tokens/s"})) return ReadExampleRate(words, true);
  if (unit.HasAny(
          {"img/s", "images/s", "samples/s", "ex/s", "examples/s", "seq/s", "sequences/s"})) {
    return ReadExampleRate(words, false);
  }
  if (words.unit == "steps/s") return Plain(Quantity::kRate, 1);
  if (const auto per_second = UnitsPerSecond(words.unit)) {
    return ReadTime(words, *per_second);
  }
  return InvalidInput(
      fmt::format("found metric '{}' in '{}', expected a time, a rate, a share of peak or 'fits'",
                  metric.text().substr(0, 64), words.unit.substr(0, 32)));
}

}  // namespace tilewise
