// Values of constants in XLA's protobufs.

#pragma once

#include <string_view>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Reads a LiteralProto of an instruction of shape `shape`: values when there
// are few, else only whether they are all alike. Throws protozero's exceptions
// on malformed bytes.
Literal ReadLiteralProto(std::string_view bytes, const HloShape& shape);

}  // namespace tilewise::hlo
