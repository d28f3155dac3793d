// Names of kernel kinds and buffer uses, as reports and dumps print them.

#include "sim/lowering/program.h"

namespace tilewise {

std::string_view KernelKindName(KernelKind kind) {
  switch (kind) {
    case KernelKind::kMatrix:
      return "matrix";
    case KernelKind::kLoop:
      return "loop";
    case KernelKind::kReduce:
      return "reduce";
    case KernelKind::kCopy:
      return "copy";
    case KernelKind::kIndexed:
      return "indexed";
    case KernelKind::kRandom:
      return "random";
    case KernelKind::kRecurrent:
      return "recurrent";
    case KernelKind::kCollective:
      return "collective";
    case KernelKind::kOpaque:
      return "opaque";
    case KernelKind::kSort:
      return "sort";
    case KernelKind::kAttention:
      return "attention";
    case KernelKind::kHostCopy:
      return "host copy";
  }
  return "?";
}

std::string_view BufferUseName(BufferUse use) {
  switch (use) {
    case BufferUse::kInput:
      return "input";
    case BufferUse::kVariable:
      return "variable";
    case BufferUse::kOptimizerState:
      return "optimizer state";
    case BufferUse::kActivation:
      return "activation";
    case BufferUse::kGradient:
      return "gradient";
    case BufferUse::kTemporary:
      return "temporary";
  }
  return "?";
}

}  // namespace tilewise
