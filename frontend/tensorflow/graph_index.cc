// Resolves the names in inputs.

#include "frontend/tensorflow/graph_index.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "frontend/tensorflow/output_names.h"

namespace tilewise::tf {
namespace {

constexpr int32_t kMaxOutput = 1 << 20;

bool IsControl(std::string_view input) { return !input.empty() && input.front() == '^'; }

// The number a text is; -1 when it is none.
int32_t Number(std::string_view text) {
  int32_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return -1;
  return value <= kMaxOutput ? value : -1;
}

}  // namespace

absl::StatusOr<GraphIndex> GraphIndex::Make(const GraphDef& graph, const FunctionDef* function) {
  GraphIndex index;
  index.graph_ = &graph;
  index.function_ = function;
  index.nodes_ = function != nullptr ? function->nodes : std::span<const NodeDef>(graph.nodes);
  const Names names = {index.nodes_.data()};
  index.by_name_ = NodesByName(index.nodes_.size(), Hash{names}, Equal{names});
  if (function != nullptr) {
    int32_t number = index.size();
    for (const ArgDef& arg : function->inputs) {
      index.arguments_.try_emplace(arg.name, number++);
    }
  }
  // Most inputs are of nodes before: they are resolved while the texts of the
  // node are at hand, the others once all names are known.
  std::vector<int32_t> open;
  index.first_input_.reserve(index.nodes_.size() + 1);
  index.inputs_.reserve(index.nodes_.size());
  index.first_input_.push_back(0);
  for (int32_t i = 0; i < index.size(); ++i) {
    const NodeDef& node = index.node(i);
    const bool argument = !index.arguments_.empty() && index.arguments_.contains(node.name);
    if (argument || !index.by_name_.insert(i).second) {
      return InvalidInput(
          fmt::format("found two nodes called '{}', expected names that differ", node.name));
    }
    const size_t first = index.inputs_.size();
    for (const std::string_view input : node.inputs) {
      if (!IsControl(input)) index.inputs_.push_back(index.Resolve(input));
    }
    index.first_input_.push_back(static_cast<uint32_t>(index.inputs_.size()));
    const auto made = std::span<const Edge>(index.inputs_).subspan(first);
    if (std::ranges::find(made, -1, &Edge::node) != made.end()) {
      open.push_back(i);
    }
  }
  for (const int32_t i : open) index.ResolveInputs(i);
  return index;
}

void GraphIndex::ResolveInputs(int32_t number) {
  size_t at = first_input_[number];
  for (const std::string_view input : node(number).inputs) {
    if (!IsControl(input)) inputs_[at++] = Resolve(input);
  }
}

std::span<const Edge> GraphIndex::inputs(int32_t node) const {
  if (IsArgument(node)) return {};
  const size_t i = node;
  return std::span<const Edge>(inputs_).subspan(first_input_[i],
                                                first_input_[i + 1] - first_input_[i]);
}

std::vector<int32_t> GraphIndex::ControlInputs(int32_t number) const {
  std::vector<int32_t> controls;
  if (IsArgument(number)) return controls;
  for (const std::string_view input : node(number).inputs) {
    if (!IsControl(input)) continue;
    const int32_t found = Find(input.substr(1));
    if (found >= 0) controls.push_back(found);
  }
  return controls;
}

std::string_view GraphIndex::InputText(int32_t number, size_t k) const {
  for (const std::string_view input : node(number).inputs) {
    if (IsControl(input)) continue;
    if (k-- == 0) return input;
  }
  return {};
}

int32_t GraphIndex::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return *found;
  const auto argument = arguments_.find(name);
  return argument == arguments_.end() ? -1 : argument->second;
}

Edge GraphIndex::Resolve(std::string_view text) const {
  const size_t colon = text.find(':');
  const int32_t found = Find(text.substr(0, colon));
  if (found < 0) return {};
  if (colon == std::string_view::npos) return {found, 0};
  std::string_view rest = text.substr(colon + 1);
  const size_t second = rest.find(':');
  const std::string_view output = rest.substr(0, second);
  const int32_t plain = Number(output);
  if (second == std::string_view::npos && plain >= 0) return {found, plain};
  int32_t number = 0;
  if (second != std::string_view::npos) number = Number(rest.substr(second + 1));
  if (number < 0) return {};
  if (IsArgument(found)) return {found, number};
  const int64_t offset = OutputOffset(*graph_, node(found), output);
  return {found, static_cast<int32_t>(offset) + number};
}

}  // namespace tilewise::tf
