// One sorted index over all families, made once.

#include "frontend/onnx/op_table.h"

#include <map>
#include <utility>

namespace tilewise::onnx {
namespace {

using Index = std::map<std::pair<std::string_view, std::string_view>, OpFunction>;

Index MakeIndex() {
  Index index;
  for (const std::span<const OpEntry> family :
       {UnaryOps(),        BinaryOps(),    ActivationOps(),    ShapeOps(),    ReshapeOps(),
        SliceOps(),        IndexOps(),     ReductionOps(),     OrderOps(),    MatrixOps(),
        ConvolutionOps(),  PoolOps(),      NormalizationOps(), ResizeOps(),   RecurrentOps(),
        QuantizationOps(), AttentionOps(), RandomOps(),        SequenceOps(), SignalOps(),
        DetectionOps(),    ClassicalOps(), LossOps(),          TrainingOps()}) {
    for (const OpEntry& entry : family) {
      index.emplace(std::make_pair(entry.domain, entry.name), entry.make);
    }
  }
  return index;
}

// Domains of vendors whose ops of a standard name do what the standard says.
bool TakesOver(std::string_view domain) {
  return domain == kMicrosoft || domain == kPreviewTraining;
}

}  // namespace

OpFunction FindOp(std::string_view domain, std::string_view name) {
  static const Index index = MakeIndex();
  if (const auto at = index.find({domain, name}); at != index.end()) {
    return at->second;
  }
  if (!TakesOver(domain)) return nullptr;
  const auto at = index.find({kStandard, name});
  return at == index.end() ? nullptr : at->second;
}

}  // namespace tilewise::onnx
