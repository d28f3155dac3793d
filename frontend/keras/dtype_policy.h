// A layer's dtype policy: what it computes in and what its weights are kept in.

#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "graph/shape.h"

namespace tilewise {

struct DTypePolicy {
  DType compute = DType::kF32;
  DType variable = DType::kF32;
};

// From the "dtype" of a layer: "float32", "mixed_bfloat16", or the object that
// Keras 2 and 3 write for a policy. Null and integer types (what Keras 1 wrote
// for the input) mean `inherited`. Nothing for anything else.
std::optional<DTypePolicy> ReadDTypePolicy(const nlohmann::json& dtype, DTypePolicy inherited);

}  // namespace tilewise
