// Translates layer configurations of Keras 1 to the names of Keras 2 and 3.

#include <string>
#include <string_view>
#include <utility>

#include "frontend/keras/layer_arguments.h"

namespace tilewise {
namespace {

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
