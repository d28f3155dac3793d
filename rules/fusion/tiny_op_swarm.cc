// Flags steps that spend their time starting small kernels rather than running
// large ones.

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/rule.h"

namespace tilewise::FU002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "FU002",
    .name = "tiny-op-swarm",
    .set = RuleSet::kPreview,
    .needs = {.model = true},
    .summary = "the step is made of many kernels that do next to nothing",
    .no_saving = "which ops to join is for the author to say",
    .doc = R"(
What: more than min-tiny-share of the step's kernels take less than tiny-us
microseconds, together at least min-share of the step, while neither the matrix
units nor HBM are used for more than half of it.
Why: every kernel has a fixed cost of about a microsecond: its program is
fetched, its first window is loaded, its last one stored. A step of kernels that
are shorter than that is bound by latency, whatever the chip's peak is.
Remedy: merge what is alike: one projection for q, k and v, one update of
stacked variables, vmap instead of a Python loop, scan over layers; or a larger
batch.
Ignore: programs that run once to set up.
Numbers: simulated kernels of one step.
Sources: xprof's test for latency-bound programs and its advice on small
updates.)",
    .thresholds = {{"tiny-us", 2, "microseconds below which a kernel is tiny"},
                   {"min-tiny-share", 0.3, "share of kernels that have to be tiny"},
                   {"max-use", 0.5, "use of MXU and of HBM below which a step is bound by latency"},
                   {"min-share", 0.1, "share of the step that tiny kernels have to take"},
                   {"min-kernels", 50, "kernels from which on a step is judged"}},
};

struct Swarm {
  int64_t kernels = 0;
  int64_t tiny = 0;
  Seconds time;      // of the tiny ones
  Seconds overhead;  // fixed part of it
  // These are the tiny kernels of each layer of the model, and an op that has
  // one.
  std::map<std::string, std::pair<int64_t, OpId>> by_layer;
};

std::string LayerOf(const Op& op) { return op.location.item.empty() ? op.name : op.location.item; }

Swarm CountKernels(const Facts& facts, Seconds tiny) {
  Swarm swarm;
  const std::vector<Kernel>& kernels = facts.model->program.kernels;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Seconds each = facts.model->spans[i].duration /
                         static_cast<double>(std::max<int64_t>(1, kernels[i].repeat));
    swarm.kernels += kernels[i].repeat;
    if (each >= tiny) continue;
    swarm.tiny += kernels[i].repeat;
    swarm.time += facts.model->spans[i].duration;
    swarm.overhead += facts.model->spans[i].overhead;
    const OpId origin = kernels[i].origin;
    if (origin == kNoOp || origin >= facts.source->size()) continue;
    auto& layer = swarm.by_layer[LayerOf(facts.source->op(origin))];
    if (layer.first == 0) layer.second = origin;
    layer.first += kernels[i].repeat;
  }
  return swarm;
}

// "dense_1 (12), dense_2 (9)": the layers with most of them.
std::string MostIn(const Swarm& swarm) {
  std::vector<std::pair<int64_t, std::string>> layers;
  layers.reserve(swarm.by_layer.size());
  for (const auto& [name, layer] : swarm.by_layer) {
    layers.emplace_back(-layer.first, name);
  }
  std::ranges::sort(layers);
  std::string text;
  for (size_t i = 0; i < layers.size() && i < 3; ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", layers[i].second, -layers[i].first);
  }
  return text;
}

void Check(const Facts& facts, Sink& sink) {
  const Seconds step = facts.StepTime();
  if (step.value <= 0) return;
  const Timeline& timeline = facts.model->timeline;
  const double most = sink.threshold("max-use");
  if (timeline.mxu_busy / step >= most || timeline.dma_busy / step >= most) {
    return;
  }
  const double tiny_us = sink.threshold("tiny-us");
  const Swarm swarm = CountKernels(facts, {tiny_us * 1e-6});
  const auto kernels = static_cast<double>(swarm.kernels);
  if (kernels < sink.threshold("min-kernels") ||
      static_cast<double>(swarm.tiny) <= kernels * sink.threshold("min-tiny-share") ||
      swarm.time < step * sink.threshold("min-share")) {
    return;
  }
  const std::string layers = MostIn(swarm);
  Finding& found = sink.Report(
      LocationOfModel(facts),
      "{} of {} kernels take less than {} us each, {} of the step together, while MXU and HBM are "
      "busy for {} and {} of it (simulated on {}), expected fewer and larger kernels{}",
      FormatCount(swarm.tiny), FormatCount(swarm.kernels), tiny_us,
      FormatPercent(swarm.time / step), FormatPercent(timeline.mxu_busy / step),
      FormatPercent(timeline.dma_busy / step), facts.target.chip.name,
      layers.empty() ? "" : "; most in " + layers);
  found.cost = DeviceCost(facts, swarm.overhead);
  found.fix.text =
      "merge what is alike: one projection for q, k and v, one update of stacked variables, vmap "
      "or scan over equal layers; or raise the batch";
}

}  // namespace

TW_RULE(FU002)

}  // namespace tilewise::FU002
