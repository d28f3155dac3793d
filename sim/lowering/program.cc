// Names of kernel kinds and buffer uses, as reports and dumps print them; what a program is like.

#include "sim/lowering/program.h"

#include <set>

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

bool Program::loops_over_layers() const {
  std::set<int32_t> tiles;  // loops in which a loss is made
  for (const Op& op : graph.ops()) {
    if (op.phase == Phase::kLoss && op.loop.is_one_trip()) tiles.insert(op.loop.first);
  }
  return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
    const EnclosingLoop& loop = graph.op(kernel.root).loop;
    return kernel.iteration > 0 && loop.is_one_trip() && !tiles.contains(loop.first);
  });
}

}  // namespace tilewise
