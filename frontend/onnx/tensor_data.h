// What a tensor of the file is in the graph's terms: its type, its shape, and,
// when it is small, its elements.

#pragma once

#include <optional>

#include "base/status.h"
#include "frontend/onnx/model_view.h"
#include "library/known_value.h"

namespace tilewise::onnx {

inline constexpr int64_t kMaxRank = 64;

// The graph's type for ONNX's; nullopt for strings and unknown numbers.
std::optional<DType> ElementOf(int32_t data_type);

// Errors: negative dims; a product beyond what a graph holds. Dims of size 0
// are let through.
absl::StatusOr<Shape> TensorShape(const TensorView& tensor);

// The elements, when there are at most kMaxKnownElements, they are in the file
// and as many as the dims say.
MaybeKnown KnownTensor(const TensorView& tensor);

// Whether all bytes are 0, as far as they are in the file and no more than a
// few megabytes: initial states, masks.
bool IsZeros(const TensorView& tensor);

}  // namespace tilewise::onnx
