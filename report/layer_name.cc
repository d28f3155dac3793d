// Layers come from the location's item; ops without one are named up to the
// first slash.

#include "report/layer_name.h"

#include <string_view>

namespace tilewise {
namespace {

std::string LayerOf(const Op& op) {
  constexpr std::string_view kPrefix = "layer ";
  const std::string& item = op.location.item;
  if (item.empty()) return op.name.substr(0, op.name.find('/'));
  return item.starts_with(kPrefix) ? item.substr(kPrefix.size()) : item;
}

}  // namespace

const Op* OriginOf(const Kernel& kernel, const Graph& source) {
  if (kernel.origin < 0 || kernel.origin >= source.size()) return nullptr;
  return &source.op(kernel.origin);
}

std::string LayerName(const Kernel& kernel, const Graph& source) {
  if (kernel.kind == KernelKind::kCollective) {
    return std::string(OpName(kernel.collective));
  }
  if (kernel.phase == Phase::kUpdate) return "optimizer";
  if (kernel.phase == Phase::kLoss) return "loss";
  const Op* op = OriginOf(kernel, source);
  return op != nullptr ? LayerOf(*op) : "other";
}

}  // namespace tilewise
