// Flags models whose batch and feature sizes fill the tiles of 8 x 128 neither
// with the features in the lanes nor with the batch in the lanes.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "base/math.h"
#include "rules/rule.h"
#include "session/forward_values.h"
#include "session/matrix_use.h"

namespace tilewise::AL003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL003",
    .name = "batch-feature-pairing",
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true},
    .summary = "no pairing of batch and features fills the tiles of 8 x 128",
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
    .thresholds = {{"min-flops", 0.8, "share of the matrix FLOPs in such ops"}},
};

// A dot or convolution whose result has batch and features in its tiles.
struct PairedLayer {
  const Op* op = nullptr;
  int64_t batch = 0;
  int64_t features = 0;
  int64_t feature_dim = 0;
  double flops = 0;
  Seconds avoidable;
};

// This says which dim is in the lanes.
enum class Regime { kFeaturesInLanes, kBatchInLanes };

int64_t FeatureDim(const Op& op) {
  const bool first = op.kind == OpKind::kConvolution && op.as<ConvAttrs>().channels_first;
  return first ? 1 : op.shape.rank() - 1;
}

// The dim that holds examples: 0 of a convolution; of a dot the one that grows
// with the batch, or 0 of a matrix where the file fixes all sizes.
int64_t BatchDim(const Facts& facts, const Op& op) {
  if (op.kind == OpKind::kConvolution) return 0;
  const Shape& written = facts.workload.graph->op(op.id).shape;
  for (int64_t dim = 0; dim < written.rank(); ++dim) {
    if (written.dims[dim].per_batch) return dim;
  }
  return written.rank() == 2 ? 0 : -1;
}

bool Tiles(const Layout& layout, int64_t dim) {
  return dim >= 0 && (LaneDim(layout) == dim || SublaneDim(layout) == dim);
}

// A layer with a weight; `value`: that of the op in the lowered graph. Nothing
// for a batch that AL002 speaks of, or that nothing names.
std::optional<PairedLayer> PairedLayerOf(const Facts& facts, const Op& op, OpId value) {
  const bool matrix = op.kind == OpKind::kConvolution || op.kind == OpKind::kDot;
  if (!matrix || value == kNoOp || op.shape.rank() < 2) return std::nullopt;
  const Layout& layout = facts.model->program.layouts[value];
  const int64_t batch = BatchDim(facts, op);
  if (!Tiles(layout, batch) || !Tiles(layout, FeatureDim(op))) {
    return std::nullopt;
  }
  const Shape& written = facts.workload.graph->op(op.id).shape;
  const bool grows = written.dims[batch].per_batch;
  if (grows && facts.batch_assumed) return std::nullopt;
  // AL002 speaks of such a batch, and lets single examples pass.
  if (op.shape.size(batch) % facts.target.chip.sublanes != 0) {
    return std::nullopt;
  }
  const MatrixUse use = MatrixUseOf(facts, op.id);
  PairedLayer layer;
  layer.op = &op;
  layer.batch = op.shape.size(batch);
  layer.feature_dim = FeatureDim(op);
  layer.features = op.shape.size(layer.feature_dim);
  layer.flops = use.useful_flops;
  layer.avoidable = use.avoidable;
  return layer;
}

// One of the two dims fills the lanes and the other the sublanes.
bool FillsTiles(const PairedLayer& layer, const Chip& chip) {
  const bool wide = layer.batch % chip.sublanes == 0 && layer.features % chip.lanes == 0;
  const bool tall = layer.batch % chip.lanes == 0 && layer.features % chip.sublanes == 0;
  return wide || tall;
}

// The user named the number of its features as one that cannot change.
bool HasFixedFeatures(const Facts& facts, const PairedLayer& layer) {
  const Op& kernel = facts.source->operand(*layer.op, 1);
  return facts.IsFixed(*layer.op, layer.feature_dim) ||
         facts.IsFixed(kernel, kernel.shape.rank() - 1);
}

// The padding of what these layers write; `values`: as ForwardValues() has
// them.
Bytes PaddingOf(const Facts& facts, const std::vector<PairedLayer>& layers,
                const std::vector<OpId>& values) {
  Bytes padding;
  for (const PairedLayer& layer : layers) {
    const OpId value = values[layer.op->id];
    padding += StoredBytes(facts.model->program, value, facts.target.chip) -
               facts.model->program.graph.op(value).shape.unpadded_bytes();
  }
  return padding;
}

// The one that these layers need less padding for, by FLOPs.
Regime NearerRegime(const std::vector<PairedLayer>& layers, const Chip& chip) {
  double wide = 0;
  double tall = 0;
  const auto growth = [](int64_t size, int64_t tile) {
    return static_cast<double>(RoundUp(size, tile)) / static_cast<double>(size);
  };
  for (const PairedLayer& layer : layers) {
    wide += layer.flops * growth(layer.batch, chip.sublanes) * growth(layer.features, chip.lanes);
    tall += layer.flops * growth(layer.batch, chip.lanes) * growth(layer.features, chip.sublanes);
  }
  return wide <= tall ? Regime::kFeaturesInLanes : Regime::kBatchInLanes;
}

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
  return fmt::format("use widths that are multiples of {} (of {}: {} instead of {})", multiple,
                     largest.op->name, FormatCount(RoundUp(largest.features, multiple)),
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
      "use a batch per core of {} instead of {}{}, with widths that are multiples of {}",
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
                  "layers with {} of the FLOPs pair batch and features so that both are padded, {} "
                  "with {} and {} first of all: expected a batch per core that is a multiple of {} "
                  "with features of a multiple of {}, or of {} with {} (simulated on {})",
                  FormatPercent(share), largest.op->name, FormatCount(largest.batch),
                  FormatCount(largest.features), chip.sublanes, chip.lanes, chip.lanes,
                  chip.sublanes, chip.name);
  found.cost = DeviceCost(facts, avoidable, padding);
  MarkUnlessWorthSaying(facts, found);
  if (NearerRegime(layers, chip) == Regime::kFeaturesInLanes) {
    AdviseFeatures(facts, layers, largest, found);
  } else {
    AdviseBatch(facts, layers, largest, found);
  }
  WriteChange(facts, found.change, found);
  // Wider layers compute more: their time is no measure of what is gained.
  found.change.widths.clear();
  if (found.change.empty()) found.severity = Severity::kInfo;
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
  if (!LocationOfBatch(facts).known()) return;
  Report(facts, unpaired, flops / all, avoidable, padding, sink);
}

}  // namespace

TW_RULE(AL003)

}  // namespace tilewise::AL003
