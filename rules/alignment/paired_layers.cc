// Which dim goes to lanes and which to sublanes is as the lowering chose it.

#include "rules/alignment/paired_layers.h"

#include "base/math.h"
#include "session/matrix_use.h"

namespace tilewise {
namespace {

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
    if (written.dims[static_cast<size_t>(dim)].per_batch) return dim;
  }
  return written.rank() == 2 ? 0 : -1;
}

bool Tiles(const Layout& layout, int64_t dim) {
  return dim >= 0 && (LaneDim(layout) == dim || SublaneDim(layout) == dim);
}

}  // namespace

std::optional<PairedLayer> PairedLayerOf(const Facts& facts, const Op& op, OpId value) {
  const bool matrix = op.kind == OpKind::kConvolution || op.kind == OpKind::kDot;
  if (!matrix || value == kNoOp || op.shape.rank() < 2) return std::nullopt;
  const Layout& layout = facts.model->program.layouts[static_cast<size_t>(value)];
  const int64_t batch = BatchDim(facts, op);
  if (!Tiles(layout, batch) || !Tiles(layout, FeatureDim(op))) {
    return std::nullopt;
  }
  const Shape& written = facts.workload.graph->op(op.id).shape;
  const bool grows = written.dims[static_cast<size_t>(batch)].per_batch;
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

bool FillsTiles(const PairedLayer& layer, const Chip& chip) {
  const bool wide = layer.batch % chip.sublanes == 0 && layer.features % chip.lanes == 0;
  const bool tall = layer.batch % chip.lanes == 0 && layer.features % chip.sublanes == 0;
  return wide || tall;
}

bool HasFixedFeatures(const Facts& facts, const PairedLayer& layer) {
  const Op& kernel = facts.source->operand(*layer.op, 1);
  return facts.IsFixed(*layer.op, layer.feature_dim) ||
         facts.IsFixed(kernel, kernel.shape.rank() - 1);
}

Bytes PaddingOf(const Facts& facts, const std::vector<PairedLayer>& layers,
                const std::vector<OpId>& values) {
  Bytes padding;
  for (const PairedLayer& layer : layers) {
    const OpId value = values[static_cast<size_t>(layer.op->id)];
    padding += StoredBytes(facts.model->program, value, facts.target.chip) -
               facts.model->program.graph.op(value).shape.unpadded_bytes();
  }
  return padding;
}

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

}  // namespace tilewise
