// All TensorFlow ops, sorted by name so that a node's op is found at once.

#include <algorithm>
#include <vector>

#include "frontend/tensorflow/ops/families.h"

namespace tilewise::tf {
namespace {

std::vector<OpEntry> SortedOps() {
  constexpr std::span<const OpEntry> (*kFamilies[])() = {
      ActivationOps, ArithmeticOps, CollectiveOps,    ComparisonOps,   ConvolutionOps,
      DiagonalOps,   EmbeddingOps,  FactorizationOps, FillOps,         FourierOps,
      FusedOps,      GatherOps,     HostOps,          IdentityOps,     ImageOps,
      JoiningOps,    MatrixOps,     NormalizationOps, OpaqueOps,       OptimizerOps,
      OrderOps,      PaddingOps,    PoolingOps,       QuantizationOps, RandomOps,
      RecurrentOps,  ReductionOps,  ReshapingOps,     ResizeOps,       ScatterOps,
      ShapeOps,      SlicingOps,    SoftmaxOps,       SpaceOps,        TensorArrayOps,
      TensorListOps, UnaryOps,      VariableOps,      XlaOps,          XlaWindowOps,
  };
  std::vector<OpEntry> ops;
  for (const auto family : kFamilies) {
    const std::span<const OpEntry> entries = family();
    ops.insert(ops.end(), entries.begin(), entries.end());
  }
  std::stable_sort(ops.begin(), ops.end(),
                   [](const OpEntry& a, const OpEntry& b) { return a.name < b.name; });
  return ops;
}

}  // namespace

std::span<const OpEntry> AllOps() {
  static const std::vector<OpEntry> ops = SortedOps();
  return ops;
}

OpFunction FindOp(std::string_view name) {
  const std::span<const OpEntry> ops = AllOps();
  const auto at =
      std::lower_bound(ops.begin(), ops.end(), name,
                       [](const OpEntry& entry, std::string_view n) { return entry.name < n; });
  return at != ops.end() && at->name == name ? at->function : nullptr;
}

}  // namespace tilewise::tf
