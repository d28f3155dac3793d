// See opcode_names.h. Most names are XLA's with other dashes.

#include "frontend/mlir/opcode_names.h"

#include <string>

namespace tilewise::mlir {
namespace {

struct StablehloName {
  std::string_view stablehlo;
  hlo::Opcode opcode;
};

constexpr StablehloName kOther[] = {
    {"create_token", hlo::Opcode::kAfterAll},
    {"optimization_barrier", hlo::Opcode::kOptBarrier},
    {"cosh", hlo::Opcode::kCosh},
    {"top_k", hlo::Opcode::kTopk},
    {"count_leading_zeros", hlo::Opcode::kCountLeadingZeros},
    {"uniform_quantize", hlo::Opcode::kConvert},
    {"uniform_dequantize", hlo::Opcode::kConvert},
    {"conj", hlo::Opcode::kUnknown},
};

}  // namespace

hlo::Opcode OpcodeOf(std::string_view name) {
  for (const StablehloName& other : kOther) {
    if (other.stablehlo == name) return other.opcode;
  }
  std::string dashed(name);
  for (char& c : dashed) {
    if (c == '_') c = '-';
  }
  return hlo::ParseOpcode(dashed);
}

}  // namespace tilewise::mlir
