// Finds named results in output_names.def and in functions.

#include "frontend/tensorflow/output_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/tensorflow/attr_value.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMaxTensors = 1 << 20;  // of one name

constexpr auto kOutputs = std::to_array<std::pair<std::string_view, std::string_view>>({
#define TW_OUTPUTS(op, names) {op, names},
#include "frontend/tensorflow/output_names.def"
#undef TW_OUTPUTS
});

// Tensors of a list whose length attribute `attr` gives.
int64_t ListLength(Attrs attrs, std::string_view attr) {
  if (const auto count = AttrInt(attrs, attr)) {
    return std::clamp<int64_t>(*count, 0, kMaxTensors);
  }
  if (const auto types = AttrTypes(attrs, attr)) {
    return static_cast<int64_t>(types->size());
  }
  return 1;
}

int64_t OffsetIn(std::string_view names, std::string_view output, Attrs attrs) {
  int64_t offset = 0;
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    const std::string_view entry = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    const size_t star = entry.find('*');
    if (entry.substr(0, star) == output) return offset;
    offset += star == std::string_view::npos ? 1 : ListLength(attrs, entry.substr(star + 1));
  }
  return 0;
}

int64_t OffsetInFunction(const FunctionDef& function, std::string_view output, Attrs attrs) {
  int64_t offset = 0;
  for (const ArgDef& arg : function.outputs) {
    if (arg.name == output) return offset;
    offset += TensorCount(arg, attrs);
  }
  return 0;
}

}  // namespace

int64_t OutputOffset(const GraphDef& graph, const NodeDef& node, std::string_view output) {
  const FunctionDef* function = graph.Function(node.op);
  if (function != nullptr) {
    return OffsetInFunction(*function, output, node.attrs);
  }
  for (const auto& [op, names] : kOutputs) {
    if (op == node.op) return OffsetIn(names, output, node.attrs);
  }
  return 0;
}

int64_t TensorCount(const ArgDef& arg, Attrs call) {
  if (!arg.number_attr.empty()) return ListLength(call, arg.number_attr);
  if (!arg.type_list_attr.empty()) return ListLength(call, arg.type_list_attr);
  return 1;
}

}  // namespace tilewise::tf
