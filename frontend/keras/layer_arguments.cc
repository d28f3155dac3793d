// The table of layer classes and of their positional arguments, in the order
// of the Keras 2 constructors, and the translation of Keras 1 configurations.
// Initializers, regularizers and constraints that follow are left out: nothing
// here depends on them.

#include "frontend/keras/layer_arguments.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/keras/layer_config.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

struct Signature {
  std::string_view class_names;                // "Conv1D|Conv2D"
  std::array<std::string_view, 10> arguments;  // the first empty one ends
};

constexpr Signature kSignatures[] = {
    {"Input", {"shape", "batch_size", "name", "dtype", "sparse", "tensor"}},
    {"InputLayer", {"input_shape", "batch_size", "dtype"}},
    {"Dense",
     {"units", "activation", "use_bias", "kernel_initializer", "bias_initializer",
      "kernel_regularizer"}},
    {"EinsumDense", {"equation", "output_shape", "activation", "bias_axes"}},
    {"Conv1D|Conv2D|Conv3D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "groups",
      "activation", "use_bias"}},
    {"Conv1DTranspose|Conv2DTranspose|Conv3DTranspose",
     {"filters", "kernel_size", "strides", "padding", "output_padding", "data_format",
      "dilation_rate", "activation", "use_bias"}},
    {"DepthwiseConv1D|DepthwiseConv2D",
     {"kernel_size", "strides", "padding", "depth_multiplier", "data_format", "dilation_rate",
      "activation", "use_bias"}},
    {"SeparableConv1D|SeparableConv2D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
      "depth_multiplier", "activation", "use_bias"}},
    {"MaxPooling1D|MaxPooling2D|MaxPooling3D|AveragePooling1D|AveragePooling2D|AveragePooling3D",
     {"pool_size", "strides", "padding", "data_format"}},
    {"GlobalMaxPooling1D|GlobalMaxPooling2D|GlobalMaxPooling3D|GlobalAveragePooling1D|"
     "GlobalAveragePooling2D|GlobalAveragePooling3D",
     {"data_format", "keepdims"}},
    {"BatchNormalization", {"axis", "momentum", "epsilon", "center", "scale"}},
    {"LayerNormalization", {"axis", "epsilon", "center", "scale"}},
    {"GroupNormalization", {"groups", "axis", "epsilon", "center", "scale"}},
    {"UnitNormalization|Softmax|Concatenate", {"axis"}},
    {"Dropout|AlphaDropout", {"rate", "noise_shape", "seed"}},
    {"SpatialDropout1D", {"rate"}},
    {"SpatialDropout2D|SpatialDropout3D", {"rate", "data_format"}},
    {"GaussianNoise", {"stddev", "seed"}},
    {"GaussianDropout", {"rate", "seed"}},
    {"Activation", {"activation"}},
    {"ReLU", {"max_value", "negative_slope", "threshold"}},
    {"LeakyReLU", {"negative_slope"}},
    {"PReLU", {"alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes"}},
    {"ELU", {"alpha"}},
    {"ThresholdedReLU", {"theta"}},
    {"Add|Subtract|Multiply|Average|Maximum|Minimum", {}},
    {"Dot", {"axes", "normalize"}},
    {"Flatten", {"data_format"}},
    {"Reshape", {"target_shape"}},
    {"Permute", {"dims"}},
    {"RepeatVector", {"n"}},
    {"ZeroPadding1D", {"padding"}},
    {"ZeroPadding2D|ZeroPadding3D", {"padding", "data_format"}},
    {"Cropping1D", {"cropping"}},
    {"Cropping2D|Cropping3D", {"cropping", "data_format"}},
    {"UpSampling1D", {"size"}},
    {"UpSampling2D", {"size", "data_format", "interpolation"}},
    {"UpSampling3D", {"size", "data_format"}},
    {"Embedding", {"input_dim", "output_dim"}},
    {"SimpleRNN", {"units", "activation", "use_bias"}},
    {"LSTM|GRU", {"units", "activation", "recurrent_activation", "use_bias"}},
    {"ConvLSTM1D|ConvLSTM2D|ConvLSTM3D",
     {"filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
      "recurrent_activation", "use_bias"}},
    {"Bidirectional", {"layer", "merge_mode", "weights", "backward_layer"}},
    {"TimeDistributed", {"layer"}},
    {"MultiHeadAttention",
     {"num_heads", "key_dim", "value_dim", "dropout", "use_bias", "output_shape"}},
    {"GroupQueryAttention",
     {"head_dim", "num_query_heads", "num_key_value_heads", "dropout", "use_bias"}},
    {"Attention", {"use_scale", "score_mode", "dropout"}},
    {"AdditiveAttention", {"use_scale", "dropout"}},
    {"Masking", {"mask_value"}},
    {"ActivityRegularization", {"l1", "l2"}},
    {"Lambda", {"function", "output_shape", "mask", "arguments"}},
    {"Rescaling", {"scale", "offset"}},
    {"Normalization", {"axis", "mean", "variance", "invert"}},
    {"Resizing", {"height", "width", "interpolation"}},
    {"Discretization", {"bin_boundaries", "num_bins", "epsilon", "output_mode"}},
    {"CenterCrop|RandomCrop", {"height", "width"}},
    {"RandomFlip", {"mode", "seed"}},
    {"RandomRotation", {"factor", "fill_mode", "interpolation"}},
    {"RandomZoom|RandomTranslation", {"height_factor", "width_factor", "fill_mode"}},
    {"RandomContrast", {"factor", "seed"}},
    {"Solarization", {"addition_factor", "threshold_factor", "value_range", "seed"}},
    {"RandomBrightness", {"factor", "value_range", "seed"}},
};

// Old and other names of each class.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"Conv1D", "Convolution1D|AtrousConvolution1D|AtrousConv1D"},
    {"Conv2D", "Convolution2D|AtrousConvolution2D|AtrousConv2D"},
    {"Conv3D", "Convolution3D"},
    {"SeparableConv1D", "SeparableConvolution1D"},
    {"SeparableConv2D", "SeparableConvolution2D"},
    {"DepthwiseConv2D", "DepthwiseConvolution2D"},
    {"Conv2DTranspose", "Deconvolution2D|Deconv2D|Convolution2DTranspose"},
    {"Conv3DTranspose", "Deconvolution3D|Deconv3D|Convolution3DTranspose"},
    {"Conv1DTranspose", "Convolution1DTranspose"},
    {"MaxPooling1D", "MaxPool1D"},
    {"MaxPooling2D", "MaxPool2D"},
    {"MaxPooling3D", "MaxPool3D"},
    {"AveragePooling1D", "AvgPool1D"},
    {"AveragePooling2D", "AvgPool2D"},
    {"AveragePooling3D", "AvgPool3D"},
    {"GlobalMaxPooling1D", "GlobalMaxPool1D"},
    {"GlobalMaxPooling2D", "GlobalMaxPool2D"},
    {"GlobalMaxPooling3D", "GlobalMaxPool3D"},
    {"GlobalAveragePooling1D", "GlobalAvgPool1D"},
    {"GlobalAveragePooling2D", "GlobalAvgPool2D"},
    {"GlobalAveragePooling3D", "GlobalAvgPool3D"},
    {"BatchNormalization", "BatchNormalizationV1|BatchNormalizationV2|SyncBatchNormalization"},
    {"LSTM", "CuDNNLSTM|LSTMV1|LSTMV2"},
    {"GRU", "CuDNNGRU|GRUV1|GRUV2"},
    {"Dense", "TimeDistributedDense"},
    {"GroupQueryAttention", "GroupedQueryAttention"},
};

const Signature* Find(std::string_view class_name) {
  const auto* found = std::ranges::find_if(
      kSignatures, [&](const Signature& row) { return IsOneOfWords(class_name, row.class_names); });
  return found == std::end(kSignatures) ? nullptr : found;
}

using nlohmann::json;

// Old name -> new name, for every class that has the old one.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"nb_filter", "filters"},
    {"filter_length", "kernel_size"},
    {"subsample", "strides"},
    {"subsample_length", "strides"},
    {"border_mode", "padding"},
    {"atrous_rate", "dilation_rate"},
    {"bias", "use_bias"},
    {"p", "rate"},
    {"sigma", "stddev"},
    {"pool_length", "pool_size"},
    {"inner_activation", "recurrent_activation"},
    {"concat_axis", "axis"},
    {"dot_axes", "axes"},
    {"W_regularizer", "kernel_regularizer"},
    {"b_regularizer", "bias_regularizer"},
    {"W_constraint", "kernel_constraint"},
    {"b_constraint", "bias_constraint"},
    {"init", "kernel_initializer"},
};

void Rename(json& config, std::string_view from, std::string_view to) {
  const std::string old_name(from);
  const std::string new_name(to);
  if (!config.contains(old_name)) return;
  if (!config.contains(new_name)) config[new_name] = config[old_name];
  config.erase(old_name);
}

// Several scalar arguments that became one list.
void Gather(json& config, std::initializer_list<const char*> parts, const char* name) {
  json values = json::array();
  for (const char* part : parts) {
    if (!config.contains(part)) return;
    values.push_back(config[part]);
  }
  for (const char* part : parts) config.erase(part);
  if (!config.contains(name)) config[name] = std::move(values);
}

bool TakesUnits(const std::string& class_name) {
  return class_name == "Dense" || class_name == "LSTM" || class_name == "GRU" ||
         class_name == "SimpleRNN";
}

void ResolveMerge(std::string& class_name, json& config) {
  constexpr std::pair<std::string_view, std::string_view> kModes[] = {
      {"sum", "Add"},     {"mul", "Multiply"}, {"concat", "Concatenate"},
      {"ave", "Average"}, {"max", "Maximum"},  {"dot", "Dot"},
      {"cos", "Dot"},     {"min", "Minimum"},  {"sub", "Subtract"},
  };
  const auto mode = config.find("mode");
  if (mode == config.end() || !mode->is_string()) return;
  const std::string text = mode->get<std::string>();
  for (const auto& [name, resolved] : kModes) {
    if (text == name) class_name = std::string(resolved);
  }
  if (text == "cos") config["normalize"] = true;
}

void ResolveDataFormat(json& config) {
  const auto ordering = config.find("dim_ordering");
  if (ordering == config.end()) return;
  if (*ordering == "th") config["data_format"] = "channels_first";
  if (*ordering == "tf") config["data_format"] = "channels_last";
}

// RNN(LSTMCell(8)) computes what LSTM(8) does.
void ResolveCell(std::string& class_name, json& config) {
  if (class_name != "RNN" || !config.contains("cell")) return;
  const json cell = config["cell"];
  if (!cell.is_object() || !cell.contains("class_name") || !cell.contains("config") ||
      !cell["config"].is_object()) {
    return;
  }
  for (const char* kind : {"LSTM", "GRU", "SimpleRNN"}) {
    if (cell["class_name"] != std::string(kind) + "Cell") continue;
    class_name = kind;
    for (const auto& [key, value] : cell["config"].items()) {
      if (key != "name" && key != "dtype") config[key] = value;
    }
  }
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
  for (const auto& [name, old_names] : kAliases) {
    if (IsOneOfWords(class_name, old_names)) return std::string(name);
  }
  return std::string(class_name);
}

void ModernizeLayer(std::string& class_name, json& config) {
  if (!config.is_object()) return;
  Gather(config, {"kernel_dim1", "kernel_dim2", "kernel_dim3"}, "kernel_size");
  Gather(config, {"nb_row", "nb_col"}, "kernel_size");
  for (const auto& [from, to] : kRenamed) Rename(config, from, to);
  if (TakesUnits(class_name)) Rename(config, "output_dim", "units");
  if (class_name == "UpSampling1D") Rename(config, "length", "size");
  if (class_name == "MaxPooling1D" || class_name == "AveragePooling1D") {
    Rename(config, "stride", "strides");
  }
  if (class_name == "LeakyReLU") Rename(config, "alpha", "negative_slope");
  ResolveDataFormat(config);
  if (class_name == "Merge") ResolveMerge(class_name, config);
  ResolveCell(class_name, config);
}

}  // namespace tilewise
