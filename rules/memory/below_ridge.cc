// Flags steps that wait for HBM where a larger batch would give each byte more
// to do.

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "rules/rule.h"
#include "session/session.h"

namespace tilewise::ME006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME006",
    .name = "below-ridge",
    .needs = {.model = true},
    .summary = "the step is bound by HBM and the batch can grow",
    .doc = R"(
What: a step that does fewer FLOPs per byte of HBM than the chip needs to be
busy (peak FLOP/s over HBM bytes/s), and that takes at least min-gain less time
per example at a larger batch that still fits.
Why: weights are read once per step whatever the batch is. Below the ridge the
matrix units wait for them; more examples per step use each byte more often.
Where the FLOPs are is not where the parameters are: the message names the
layers with most FLOPs.
Remedy: raise the batch (and the learning rate with it); int8 weights when the
model is only run; more work per byte: convolutions rather than wide dense
layers on one example.
In training no batch per core above the 128 lanes is proposed, and none that
leaves an epoch fewer than 20 steps.
Ignore: serving one request at a time, where latency counts.
Numbers: simulated steps at both batches.
Sources: scaling-book (roofline), xprof (memory bound).)",
    .thresholds = {{"min-gain", 0.1, "time per example that a larger batch has to save"}},
};

constexpr int kDoublings = 4;
// What twice the batch has to save to be named where it is no finding.
constexpr double kLeastGainNamed = 0.01;

double PerExample(const Timeline& timeline, int64_t batch) {
  return timeline.step.value / static_cast<double>(batch);
}

// A batch above the lanes trains differently for little more speed, and an epoch of few steps
// hardly trains.
bool IsTooLarge(const Facts& facts, int64_t batch) {
  constexpr int64_t kStepsOfEpoch = 20;
  if (batch > facts.target.chip.lanes) return true;
  const std::optional<int64_t> examples = facts.session.examples_per_epoch();
  return examples && batch * facts.target.batch_shards() * kStepsOfEpoch > *examples;
}

// The largest batch, doubling from the one there is, that fits and still makes
// an example faster; its time of an example. 0: there is none.
std::pair<int64_t, double> LargerBatch(const Facts& facts, double min_gain, int doublings) {
  int64_t best = 0;
  double time = PerExample(facts.model->timeline, facts.batch_per_core);
  int64_t batch = facts.batch_per_core;
  for (int i = 0; i < doublings; ++i) {
    batch *= 2;
    if (facts.training && IsTooLarge(facts, batch)) break;
    const absl::StatusOr<StepTotals> step = facts.session.StepAt(batch);
    if (!step.ok() || !step->fits()) break;
    const double at = PerExample(step->timeline, batch);
    if (at > time * (1 - min_gain)) break;
    best = batch;
    time = at;
  }
  return {best, time};
}

// "conv3 (41 %), conv2 (22 %)": the layers with most FLOPs.
std::string LayersByFlops(const Facts& facts) {
  std::map<std::string, double> flops;
  double total = 0;
  for (const Kernel& kernel : facts.model->program.kernels) {
    const double of_kernel = kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    if (of_kernel <= 0 || kernel.origin == kNoOp || kernel.origin >= facts.source->size()) {
      continue;
    }
    const Op& op = facts.source->op(kernel.origin);
    flops[op.location.item.empty() ? op.name : op.location.item] += of_kernel;
    total += of_kernel;
  }
  std::vector<std::pair<double, std::string>> layers;
  layers.reserve(flops.size());
  for (const auto& [name, of_layer] : flops) {
    layers.emplace_back(-of_layer, name);
  }
  std::ranges::sort(layers);
  std::string text;
  for (size_t i = 0; i < layers.size() && i < 3; ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", layers[i].second,
                        FormatPercent(-layers[i].first / total));
  }
  return text;
}

bool CanGrow(const Facts& facts) {
  if (facts.batch_assumed || facts.workload.graph->is_static()) return false;
  return facts.training || facts.batch_per_core > 1;
}

void Check(const Facts& facts, Sink& sink) {
  if (!CanGrow(facts)) return;
  const Estimate& estimate = facts.model->estimate;
  if (estimate.hbm_traffic.value <= 0 || estimate.useful_flops <= 0) return;
  const Chip& chip = facts.target.chip;
  const double ridge = chip.peak_flops() / chip.hbm_bandwidth.value;
  const double intensity = estimate.useful_flops / static_cast<double>(estimate.hbm_traffic.value);
  if (intensity >= ridge) return;
  const double least = sink.threshold("min-gain");
  auto [batch, then] = LargerBatch(facts, least, kDoublings);
  const bool is_small = batch == 0;
  if (is_small) std::tie(batch, then) = LargerBatch(facts, kLeastGainNamed, 1);
  if (batch == 0) return;
  const double now = PerExample(facts.model->timeline, facts.batch_per_core);
  const std::string layers = LayersByFlops(facts);
  Finding& found = sink.Report(
      LocationOfBatch(facts),
      "the batch of {} per core is small for {}: at {} per core an example takes {} less device "
      "time (simulated); the step does {:.1f} FLOPs per byte of HBM and {} does {:.0f} in that "
      "time{}",
      FormatCount(facts.batch_per_core), chip.name, FormatCount(batch),
      FormatPercent(1 - then / now), intensity, chip.name, ridge,
      layers.empty() ? "" : "; most FLOPs are in " + layers);
  found.cost.time_per_step = Seconds{(now - then) * static_cast<double>(facts.batch_per_core)};
  found.cost.share_of_step = 1 - then / now;
  if (is_small) found.too_small = kSavesLittle;
  found.fix.text =
      fmt::format("raise the global batch to {} ({} per core), and the learning rate with it",
                  FormatCount(batch * facts.target.batch_shards()), FormatCount(batch));
  found.change.batch_per_core = batch;
  WriteChange(facts, found.change, found);
}

}  // namespace

TW_RULE(ME006)

}  // namespace tilewise::ME006
