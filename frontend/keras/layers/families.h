// The layer classes that each file of this folder builds, and what files use of
// one another.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/keras/layer_context.h"

namespace tilewise {

std::span<const LayerEntry> DenseLayers();  // and EinsumDense, Embedding
std::span<const LayerEntry> ConvolutionLayers();
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

struct WindowArguments {
  std::vector<int64_t> sizes, strides, dilations;
  std::string_view padding;  // "valid", "same", "causal"
};

// Pads so that the result has ceil(input / stride) positions for "same", the
// odd one at the end; all of it in front for "causal"; none for "valid". Other
// words fail.
std::vector<WindowDim> MakeWindow(LayerContext& ctx, OpId x, const WindowArguments& arguments,
                                  bool channels_first);

// The inputs combined from left to right, stretched to a common shape. A call
// with one tensor takes its number as the other operand.
OpId CombineInputs(LayerContext& ctx, OpKind kind);

// The plain number among the arguments of a call, such as 2 in `x * 2`.
std::optional<double> NumberArgument(const LayerContext& ctx);

// Returns, in training, x scaled by 1/(1-rate) where a random number is at
// least `rate`, and zero elsewhere; elements that differ only in `shared` dims
// share their number. Otherwise it returns x.
OpId Drop(LayerContext& ctx, OpId x, double rate, const std::vector<int64_t>& shared);

// The first of these keyword arguments that the call has, or null. The Python
// reader names positional arguments "x", "y" and "z".
const nlohmann::json* Argument(const LayerContext& ctx, std::initializer_list<const char*> names);

// Whether that keyword argument is true.
bool CallFlag(const LayerContext& ctx, const char* name);

// An argument that cannot be read gives an opaque result; one that does not fit
// the shape fails the builder.
OpId ReshapeTo(LayerContext& ctx);
OpId TransposeTo(LayerContext& ctx);  // all dims reversed without "perm"
OpId ExpandDims(LayerContext& ctx);
OpId Squeeze(LayerContext& ctx);
OpId ConcatenateInputs(LayerContext& ctx);
OpId StackInputs(LayerContext& ctx);

// Finds a function by the last part of its name: "einsum", "get_item"; null
// when there is none.
LayerFunction FindTensorFunction(std::string_view name);

OpId BuildConvLstm(LayerContext& ctx);

}  // namespace tilewise
