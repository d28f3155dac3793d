// Flags models whose batch and feature sizes fit neither of the two ways in
// which the tiles of 8 x 128 can be filled.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "base/math.h"
#include "rules/alignment/paired_layers.h"
#include "rules/rule.h"
#include "session/forward_values.h"
#include "session/matrix_use.h"

namespace tilewise::AL003 {
namespace {

constexpr Threshold kThresholds[] = {
    {"min-flops", 0.8, "share of the matrix FLOPs in such ops"},
};

constexpr RuleInfo kInfo = {
    .id = "AL003",
    .name = "batch-feature-pairing",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "batch and features fill the tiles in neither of the two ways",
    .no_saving = "wider layers compute more, so their time is no measure",
    .doc = R"(
What: of the dots and convolutions whose tiles hold batch and features, those
with 80 % of the model's FLOPs have neither a batch per core that is a multiple
of 8 with features that are a multiple of 128, nor a batch per core that is a
multiple of 128 with features that are a multiple of 8.
Why: one of the two dims goes to the 128 lanes and the other to the 8 sublanes,
and both are padded. With one pairing there is no padding at all; with none,
padding is stored, moved and multiplied in every layer.
Remedy: take the nearer pairing: with a batch per core of 128 features need only
be multiples of 8; with features of 128, 256, 512 the batch may be any multiple
of 8.
Ignore: small models, and layers whose width the task fixes. A batch per core
that is no multiple of 8 is not reported: AL002 speaks of it.
Numbers: useful and padded FLOPs of the kernels; layouts as simulated. The time
is what full tiles would save where nothing else hides it. Silent when the
batch is assumed. The saving is that of the batch.
Sources: Cloud TPU performance guide (batch 64 per core with features of 128, or
1024 for 8 cores), scaling book.)",
    .thresholds = kThresholds,
};

// Widths of layers inside the model; the last one's are the task's.
void Widen(const Facts& facts, const std::vector<PairedLayer>& layers, int64_t multiple,
           Finding& found) {
  for (const PairedLayer& layer : layers) {
    if (layer.features % multiple == 0) continue;
    if (IsLastMatrixOp(*facts.source, layer.op->id)) continue;
    const OpId kernel = layer.op->operands[1];
    const int64_t rank = facts.source->op(kernel).shape.rank();
    const WeightDim weight = WeightDimOf(*facts.source, kernel, rank - 1);
    if (weight.variable == kNoOp) continue;
    const int64_t size = facts.source->op(weight.variable).shape.size(weight.dim);
    if (size != layer.features) continue;
    found.change.widths.push_back({weight.variable, weight.dim, RoundUp(size, multiple)});
  }
}

std::string WidthsInWords(const PairedLayer& largest, int64_t multiple) {
  return fmt::format(
      "use widths that are multiples of {} (of {}: {} instead "
      "of {})",
      multiple, largest.op->name, FormatCount(RoundUp(largest.features, multiple)),
      FormatCount(largest.features));
}

// Features fill the lanes, and the batch the sublanes.
void AdviseFeatures(const Facts& facts, const std::vector<PairedLayer>& layers,
                    const PairedLayer& largest, Finding& found) {
  const Chip& chip = facts.target.chip;
  const int64_t batch = facts.batch_per_core;
  found.fix.text = fmt::format("{} with a batch per core that is a multiple of {}",
                               WidthsInWords(largest, chip.lanes), chip.sublanes);
  Widen(facts, layers, chip.lanes, found);
  if (largest.batch == batch && batch % chip.sublanes != 0) {
    found.change.batch_per_core = RoundUp(batch, chip.sublanes);
  }
}

// The batch fills the lanes, and features the sublanes.
void AdviseBatch(const Facts& facts, const std::vector<PairedLayer>& layers,
                 const PairedLayer& largest, Finding& found) {
  const Chip& chip = facts.target.chip;
  Widen(facts, layers, chip.sublanes, found);
  const int64_t wanted = RoundUp(largest.batch, chip.lanes);
  if (wanted == largest.batch) {
    found.fix.text = fmt::format("{}; the batch per core is a multiple of {}",
                                 WidthsInWords(largest, chip.sublanes), chip.lanes);
    return;
  }
  const bool own_batch = largest.batch == facts.batch_per_core;
  found.fix.text = fmt::format(
      "use a batch per core of {} instead of {}{}, with widths that are "
      "multiples of {}",
      FormatCount(wanted), FormatCount(largest.batch),
      own_batch ? fmt::format(" (global {})", FormatCount(wanted * facts.target.batch_shards()))
                : "",
      chip.sublanes);
  if (own_batch) found.change.batch_per_core = wanted;
}

void Report(const Facts& facts, const std::vector<PairedLayer>& layers, double share,
            Seconds avoidable, Bytes padding, Sink& sink) {
  const Chip& chip = facts.target.chip;
  const PairedLayer& largest = *std::ranges::max_element(layers, {}, &PairedLayer::flops);
  Finding& found =
      sink.Report(LocationOfBatch(facts),
                  fmt::format("layers with {} of the FLOPs pair batch and features so that both "
                              "are padded, {} with {} and {} first of all: expected a batch per "
                              "core that is a multiple of {} with features of a multiple of {}, or "
                              "of {} with {} (simulated on {})",
                              FormatPercent(share), largest.op->name, FormatCount(largest.batch),
                              FormatCount(largest.features), chip.sublanes, chip.lanes, chip.lanes,
                              chip.sublanes, chip.name));
  found.cost.time_per_step = avoidable;
  found.cost.share_of_step = avoidable / facts.StepTime();
  found.cost.bytes = padding;
  if (NearerRegime(layers, chip) == Regime::kFeaturesInLanes) {
    AdviseFeatures(facts, layers, largest, found);
  } else {
    AdviseBatch(facts, layers, largest, found);
  }
  WriteChange(facts, found.change, found);
  // Wider layers compute more: their time is no measure of what is gained.
  found.change.widths.clear();
}

void Check(const Facts& facts, Sink& sink) {
  const std::vector<OpId> values = ForwardValues(facts);
  std::vector<PairedLayer> unpaired;
  double flops = 0;
  Seconds avoidable;
  for (const Op& op : facts.source->ops()) {
    const std::optional<PairedLayer> layer = PairedLayerOf(facts, op, values[op.id]);
    if (!layer || FillsTiles(*layer, facts.target.chip)) continue;
    if (HasFixedFeatures(facts, *layer)) continue;
    flops += layer->flops;
    avoidable += layer->avoidable;
    unpaired.push_back(*layer);
  }
  const double all = MatrixUseOfStep(facts).useful_flops;
  if (unpaired.empty() || all <= 0) return;
  if (flops < sink.threshold("min-flops") * all) return;
  const Bytes padding = PaddingOf(facts, unpaired, values);
  if (!facts.WorthSaying(avoidable, padding)) return;
  if (!LocationOfBatch(facts).known()) return;
  Report(facts, unpaired, flops / all, avoidable, padding, sink);
}

}  // namespace

TW_RULE(AL003)

}  // namespace tilewise::AL003
