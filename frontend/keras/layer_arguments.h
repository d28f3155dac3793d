// The constructors of Keras layers: which classes are known, the order of
// their positional arguments, and today's name for what older releases called
// otherwise. Shared by the readers of model JSON and of Python source.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tilewise {

// Argument names in constructor order; empty for an unknown class and for
// classes without positional arguments. Takes canonical class names; "Input"
// (the function) is known too.
std::span<const std::string_view> PositionalArguments(std::string_view class_name);

// Whether the canonical class name stands in the table.
bool IsKerasLayer(std::string_view class_name);

// "Convolution2D" -> "Conv2D", "MaxPool2D" -> "MaxPooling2D"; other names,
// known or not, unchanged.
std::string CanonicalLayerClass(std::string_view class_name);

// Renames the arguments of older releases in place ("nb_filter" -> "filters",
// nb_row and nb_col -> "kernel_size", "border_mode" -> "padding") and resolves
// Merge layers to the class of their mode. `class_name` must be canonical and
// may change. Values of unexpected types are left for the layer to report.
void ModernizeLayer(std::string& class_name, nlohmann::json& config);

}  // namespace tilewise
