// All layer classes, family by family.

#include <span>

#include "frontend/keras/layers/families.h"

namespace tilewise {

const LayerEntry* FindLayer(std::string_view class_name) {
  constexpr std::span<const LayerEntry> (*kFamilies[])() = {
      DenseLayers,   EinsumLayers,        ConvolutionLayers,    TransposedConvolutionLayers,
      PoolingLayers, NormalizationLayers, RegularizationLayers, ActivationLayers,
      MergingLayers, ReshapingLayers,     ResamplingLayers,     RecurrentLayers,
      WrapperLayers, AttentionLayers,     PreprocessingLayers,  FunctionLayers,
  };
  for (const auto family : kFamilies) {
    for (const LayerEntry& entry : family()) {
      if (entry.class_name == class_name) return &entry;
    }
  }
  return nullptr;
}

}  // namespace tilewise
