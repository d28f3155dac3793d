// One function per file of this folder: the layer classes it builds.

#pragma once

#include <span>

#include "frontend/keras/layer_context.h"

namespace tilewise {

std::span<const LayerEntry> DenseLayers();  // and Embedding
std::span<const LayerEntry> EinsumLayers();
std::span<const LayerEntry> ConvolutionLayers();
std::span<const LayerEntry> TransposedConvolutionLayers();
std::span<const LayerEntry> PoolingLayers();
std::span<const LayerEntry> NormalizationLayers();
std::span<const LayerEntry> RegularizationLayers();  // dropout and noise
std::span<const LayerEntry> ActivationLayers();
std::span<const LayerEntry> MergingLayers();
std::span<const LayerEntry> ReshapingLayers();
std::span<const LayerEntry> ResamplingLayers();  // padding, cropping, sizes
std::span<const LayerEntry> RecurrentLayers();
std::span<const LayerEntry> WrapperLayers();  // Bidirectional, TimeDistributed
std::span<const LayerEntry> AttentionLayers();
std::span<const LayerEntry> PreprocessingLayers();
std::span<const LayerEntry> FunctionLayers();  // Lambda, framework functions

}  // namespace tilewise
