// Shapes of XLA's protobufs.

#pragma once

#include <string_view>

#include "base/status.h"
#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Reads a ShapeProto. Throws protozero's exceptions on malformed bytes. Errors:
// dims below 0, arrays too large, tuples too deep.
absl::Status ReadShapeProto(std::string_view bytes, HloShape& shape);

}  // namespace tilewise::hlo
