// Weighs ops by their names.

#include "frontend/tensorflow/work.h"

#include <algorithm>
#include <array>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/training_ops.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxWorkDepth = 64;
constexpr int64_t kMaxWork = int64_t{1} << 40;

}  // namespace

int64_t WorkOf(std::string_view op) {
  constexpr std::array<std::string_view, 6> kNothing = {"Const",       "Identity", "NoOp",
                                                        "Placeholder", "_Arg",     "_Retval"};
  if (std::find(kNothing.begin(), kNothing.end(), op) != kNothing.end()) {
    return 0;
  }
  constexpr int64_t kMatrixUnit = 1000;
  for (const std::string_view part : {"Conv", "MatMul", "Einsum", "LSTM", "RNN"}) {
    if (Contains(op, part) && !Contains(op, "Convert")) return kMatrixUnit;
  }
  return 1;
}

int64_t FunctionWork::Of(std::string_view name, int depth) {
  const FunctionDef* function = graph_.Function(name);
  if (function == nullptr || depth > kMaxWorkDepth) return 0;
  // The function is in the table before its body is read, so that recursion
  // ends.
  if (!known_.try_emplace(function->name, 0).second) {
    return known_[function->name];
  }
  int64_t work = 0;
  for (const NodeDef& node : function->nodes) {
    work = std::min(kMaxWork, work + OfNode(node, depth));
  }
  known_[function->name] = work;
  return work;
}

int64_t FunctionWork::OfNode(const NodeDef& node, int depth) {
  int64_t work = WorkOf(node.op);
  if (graph_.function_index.empty()) return work;
  work += Of(node.op, depth + 1);
  for (const Attr& attr : node.attrs) {
    // Only calls have functions among their attributes.
    const auto function = AttrFunction(Attrs(&attr, 1), attr.name);
    if (function) work += Of(function->name, depth + 1);
  }
  return std::min(kMaxWork, work);
}

}  // namespace tilewise::tf
