// Layers whose results hold the batch and the features in their tiles.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// A dot or convolution whose result has batch and features in its tiles.
struct PairedLayer {
  const Op* op = nullptr;
  int64_t batch = 0;
  int64_t features = 0;
  int64_t feature_dim = 0;
  double flops = 0;
  Seconds avoidable;
};

// A layer with a weight; `value`: that of the op in the lowered graph. Nothing
// for a batch that AL002 speaks of, or that nothing names.
std::optional<PairedLayer> PairedLayerOf(const Facts& facts, const Op& op, OpId value);

// One of the two dims fills the lanes and the other the sublanes.
bool FillsTiles(const PairedLayer& layer, const Chip& chip);

// The user named the number of its features as one that cannot change.
bool HasFixedFeatures(const Facts& facts, const PairedLayer& layer);

// The padding of what these layers write; `values`: as ForwardValues() has
// them.
Bytes PaddingOf(const Facts& facts, const std::vector<PairedLayer>& layers,
                const std::vector<OpId>& values);

// The two ways of filling tiles.
enum class Regime { kFeaturesInLanes, kBatchInLanes };

// The one that these layers need less padding for, by FLOPs.
Regime NearerRegime(const std::vector<PairedLayer>& layers, const Chip& chip);

}  // namespace tilewise
