// The wire form of a ValueInfoProto -> ValueInfoView.

#pragma once

#include <string_view>

#include <protozero/pbf_reader.hpp>

#include "frontend/onnx/model_view.h"

namespace tilewise::onnx {

// What one pass over a model's bytes keeps for its errors.
struct ParseState {
  static constexpr int kMaxDepth = 64;  // of graphs and types

  // Opens the message at hand, and remembers where it is.
  protozero::pbf_reader Message(protozero::pbf_reader& reader) {
    const protozero::data_view view = reader.get_view();
    at = view.data();
    return protozero::pbf_reader(view);
  }

  const char* at = nullptr;  // where the last message began
  bool too_deep = false;
};

inline std::string_view Text(protozero::pbf_reader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

// Throws protozero's exceptions on malformed bytes.
ValueInfoView ParseValueInfo(protozero::pbf_reader reader, ParseState& state);

}  // namespace tilewise::onnx
