// One index over all families, made once.

#include "frontend/program/op_table.h"

#include "absl/container/flat_hash_map.h"
#include "frontend/onnx/op_table.h"

namespace tilewise::program {
namespace {

constexpr std::string_view kOwn = "tw.";
constexpr std::string_view kOfOnnx = "onnx.";

using Index = absl::flat_hash_map<std::string_view, OpFunction>;

Index MakeIndex() {
  Index index;
  for (const std::span<const OpEntry> family :
       {ElementwiseOps(), MoveOps(), ReductionOps(), MatrixOps(), WindowOps(), NnOps(), RandomOps(),
        IndexOps(), CollectiveOps()}) {
    for (const OpEntry& entry : family) index.emplace(entry.name, entry.make);
  }
  return index;
}

}  // namespace

OpFunction FindOp(std::string_view name) {
  if (name.starts_with(kOwn)) {
    static const Index index = MakeIndex();
    const auto at = index.find(name.substr(kOwn.size()));
    return at == index.end() ? nullptr : at->second;
  }
  if (!name.starts_with(kOfOnnx)) return nullptr;
  name.remove_prefix(kOfOnnx.size());
  // "onnx.com.microsoft.X" has its domain before it.
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return onnx::FindOp(onnx::kStandard, name);
  return onnx::FindOp(name.substr(0, dot), name.substr(dot + 1));
}

}  // namespace tilewise::program
