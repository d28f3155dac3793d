// The table of layer classes and of their positional arguments, in the order
// of the Keras 2 constructors. Initializers, regularizers and constraints that
// follow are left out: nothing here depends on them.

#include "frontend/keras/layer_arguments.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewise {
namespace {

struct Signature {
  std::string_view class_name;
  std::array<std::string_view, 10> arguments;  // the first empty one ends
};

constexpr Signature kSignatures[] = {
    {"Input", {"shape", "batch_size", "name", "dtype", "sparse", "tensor"}},
    {"InputLayer", {"input_shape", "batch_size", "dtype"}},
    {"Dense",
     {"units", "activation", "use_bias", "kernel_initializer", "bias_initializer",
      "kernel_regularizer"}},
    {"EinsumDense", {"equation", "output_shape", "activation", "bias_axes"}},
    {"Conv1D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "groups",
      "activation", "use_bias"}},
    {"Conv2D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "groups",
      "activation", "use_bias"}},
    {"Conv3D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "groups",
      "activation", "use_bias"}},
    {"Conv1DTranspose",
     {"filters", "kernel_size", "strides", "padding", "output_padding", "data_format",
      "dilation_rate", "activation", "use_bias"}},
    {"Conv2DTranspose",
     {"filters", "kernel_size", "strides", "padding", "output_padding", "data_format",
      "dilation_rate", "activation", "use_bias"}},
    {"Conv3DTranspose",
     {"filters", "kernel_size", "strides", "padding", "output_padding", "data_format",
      "dilation_rate", "activation", "use_bias"}},
    {"DepthwiseConv1D",
     {"kernel_size", "strides", "padding", "depth_multiplier", "data_format", "dilation_rate",
      "activation", "use_bias"}},
    {"DepthwiseConv2D",
     {"kernel_size", "strides", "padding", "depth_multiplier", "data_format", "dilation_rate",
      "activation", "use_bias"}},
    {"SeparableConv1D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
      "depth_multiplier", "activation", "use_bias"}},
    {"SeparableConv2D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
      "depth_multiplier", "activation", "use_bias"}},
    {"MaxPooling1D", {"pool_size", "strides", "padding", "data_format"}},
    {"MaxPooling2D", {"pool_size", "strides", "padding", "data_format"}},
    {"MaxPooling3D", {"pool_size", "strides", "padding", "data_format"}},
    {"AveragePooling1D", {"pool_size", "strides", "padding", "data_format"}},
    {"AveragePooling2D", {"pool_size", "strides", "padding", "data_format"}},
    {"AveragePooling3D", {"pool_size", "strides", "padding", "data_format"}},
    {"GlobalMaxPooling1D", {"data_format", "keepdims"}},
    {"GlobalMaxPooling2D", {"data_format", "keepdims"}},
    {"GlobalMaxPooling3D", {"data_format", "keepdims"}},
    {"GlobalAveragePooling1D", {"data_format", "keepdims"}},
    {"GlobalAveragePooling2D", {"data_format", "keepdims"}},
    {"GlobalAveragePooling3D", {"data_format", "keepdims"}},
    {"BatchNormalization", {"axis", "momentum", "epsilon", "center", "scale"}},
    {"LayerNormalization", {"axis", "epsilon", "center", "scale"}},
    {"GroupNormalization", {"groups", "axis", "epsilon", "center", "scale"}},
    {"UnitNormalization", {"axis"}},
    {"Dropout", {"rate", "noise_shape", "seed"}},
    {"SpatialDropout1D", {"rate"}},
    {"SpatialDropout2D", {"rate", "data_format"}},
    {"SpatialDropout3D", {"rate", "data_format"}},
    {"GaussianNoise", {"stddev", "seed"}},
    {"GaussianDropout", {"rate", "seed"}},
    {"AlphaDropout", {"rate", "noise_shape", "seed"}},
    {"Activation", {"activation"}},
    {"ReLU", {"max_value", "negative_slope", "threshold"}},
    {"LeakyReLU", {"negative_slope"}},
    {"PReLU", {"alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes"}},
    {"ELU", {"alpha"}},
    {"ThresholdedReLU", {"theta"}},
    {"Softmax", {"axis"}},
    {"Add", {}},
    {"Subtract", {}},
    {"Multiply", {}},
    {"Average", {}},
    {"Maximum", {}},
    {"Minimum", {}},
    {"Concatenate", {"axis"}},
    {"Dot", {"axes", "normalize"}},
    {"Flatten", {"data_format"}},
    {"Reshape", {"target_shape"}},
    {"Permute", {"dims"}},
    {"RepeatVector", {"n"}},
    {"ZeroPadding1D", {"padding"}},
    {"ZeroPadding2D", {"padding", "data_format"}},
    {"ZeroPadding3D", {"padding", "data_format"}},
    {"Cropping1D", {"cropping"}},
    {"Cropping2D", {"cropping", "data_format"}},
    {"Cropping3D", {"cropping", "data_format"}},
    {"UpSampling1D", {"size"}},
    {"UpSampling2D", {"size", "data_format", "interpolation"}},
    {"UpSampling3D", {"size", "data_format"}},
    {"Embedding", {"input_dim", "output_dim"}},
    {"SimpleRNN", {"units", "activation", "use_bias"}},
    {"LSTM", {"units", "activation", "recurrent_activation", "use_bias"}},
    {"GRU", {"units", "activation", "recurrent_activation", "use_bias"}},
    {"ConvLSTM1D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
      "recurrent_activation", "use_bias"}},
    {"ConvLSTM2D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
      "recurrent_activation", "use_bias"}},
    {"ConvLSTM3D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
      "recurrent_activation", "use_bias"}},
    {"Bidirectional", {"layer", "merge_mode", "weights", "backward_layer"}},
    {"TimeDistributed", {"layer"}},
    {"MultiHeadAttention",
     {"num_heads", "key_dim", "value_dim", "dropout", "use_bias", "output_shape"}},
    {"Attention", {"use_scale", "score_mode", "dropout"}},
    {"AdditiveAttention", {"use_scale", "dropout"}},
    {"Masking", {"mask_value"}},
    {"ActivityRegularization", {"l1", "l2"}},
    {"Lambda", {"function", "output_shape", "mask", "arguments"}},
    {"Rescaling", {"scale", "offset"}},
    {"Normalization", {"axis", "mean", "variance", "invert"}},
    {"Resizing", {"height", "width", "interpolation"}},
    {"Discretization", {"bin_boundaries", "num_bins", "epsilon", "output_mode"}},
    {"CenterCrop", {"height", "width"}},
    {"RandomCrop", {"height", "width"}},
    {"RandomFlip", {"mode", "seed"}},
    {"RandomRotation", {"factor", "fill_mode", "interpolation"}},
    {"RandomZoom", {"height_factor", "width_factor", "fill_mode"}},
    {"RandomTranslation", {"height_factor", "width_factor", "fill_mode"}},
    {"RandomContrast", {"factor", "seed"}},
    {"RandomBrightness", {"factor", "value_range", "seed"}},
};

constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"Convolution1D", "Conv1D"},
    {"Convolution2D", "Conv2D"},
    {"Convolution3D", "Conv3D"},
    {"AtrousConvolution1D", "Conv1D"},
    {"AtrousConvolution2D", "Conv2D"},
    {"AtrousConv1D", "Conv1D"},
    {"AtrousConv2D", "Conv2D"},
    {"SeparableConvolution1D", "SeparableConv1D"},
    {"SeparableConvolution2D", "SeparableConv2D"},
    {"DepthwiseConvolution2D", "DepthwiseConv2D"},
    {"Deconvolution2D", "Conv2DTranspose"},
    {"Deconvolution3D", "Conv3DTranspose"},
    {"Deconv2D", "Conv2DTranspose"},
    {"Deconv3D", "Conv3DTranspose"},
    {"Convolution1DTranspose", "Conv1DTranspose"},
    {"Convolution2DTranspose", "Conv2DTranspose"},
    {"Convolution3DTranspose", "Conv3DTranspose"},
    {"MaxPool1D", "MaxPooling1D"},
    {"MaxPool2D", "MaxPooling2D"},
    {"MaxPool3D", "MaxPooling3D"},
    {"AvgPool1D", "AveragePooling1D"},
    {"AvgPool2D", "AveragePooling2D"},
    {"AvgPool3D", "AveragePooling3D"},
    {"GlobalMaxPool1D", "GlobalMaxPooling1D"},
    {"GlobalMaxPool2D", "GlobalMaxPooling2D"},
    {"GlobalMaxPool3D", "GlobalMaxPooling3D"},
    {"GlobalAvgPool1D", "GlobalAveragePooling1D"},
    {"GlobalAvgPool2D", "GlobalAveragePooling2D"},
    {"GlobalAvgPool3D", "GlobalAveragePooling3D"},
    {"BatchNormalizationV1", "BatchNormalization"},
    {"BatchNormalizationV2", "BatchNormalization"},
    {"SyncBatchNormalization", "BatchNormalization"},
    {"CuDNNLSTM", "LSTM"},
    {"CuDNNGRU", "GRU"},
    {"GRUV1", "GRU"},
    {"GRUV2", "GRU"},
    {"LSTMV1", "LSTM"},
    {"LSTMV2", "LSTM"},
    {"TimeDistributedDense", "Dense"},
};

const Signature* Find(std::string_view class_name) {
  const auto* found = std::find_if(std::begin(kSignatures), std::end(kSignatures),
                                   [&](const Signature& s) { return s.class_name == class_name; });
  return found == std::end(kSignatures) ? nullptr : found;
}

}  // namespace

std::span<const std::string_view> PositionalArguments(std::string_view class_name) {
  const Signature* signature = Find(class_name);
  if (signature == nullptr) return {};
  const auto& arguments = signature->arguments;
  const auto end = std::find(arguments.begin(), arguments.end(), "");
  return {arguments.data(), static_cast<size_t>(end - arguments.begin())};
}

bool IsKerasLayer(std::string_view class_name) { return Find(class_name) != nullptr; }

std::string CanonicalLayerClass(std::string_view class_name) {
  for (const auto& [old_name, name] : kAliases) {
    if (class_name == old_name) return std::string(name);
  }
  return std::string(class_name);
}

}  // namespace tilewise
