// The wire form of a TensorProto -> TensorView, and numbers of repeated fields.
// These functions throw protozero's exceptions; their callers catch them.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <protozero/pbf_reader.hpp>

#include "frontend/onnx/model_view.h"

namespace tilewise::onnx {

TensorView ParseTensor(std::string_view bytes);

// The numbers of the current field, packed or single.
void AppendIntegers(protozero::pbf_reader& reader, std::vector<int64_t>& numbers);
void AppendFloats(protozero::pbf_reader& reader, std::vector<double>& numbers);

}  // namespace tilewise::onnx
