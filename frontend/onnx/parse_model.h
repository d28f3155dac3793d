// The wire form of a ModelProto -> ModelView.

#pragma once

#include <string_view>

#include "base/status.h"
#include "frontend/onnx/model_view.h"

namespace tilewise::onnx {

// Errors: bytes that are no protobuf message, which names the byte; graphs
// nested deeper than 64.
absl::StatusOr<ModelView> ParseModel(std::string_view bytes);

// Whether the fields at the top are those of a ModelProto with a graph. Looks
// at lengths, not at what they enclose, apart from the start of the graph.
bool LooksLikeModel(std::string_view bytes);

}  // namespace tilewise::onnx
