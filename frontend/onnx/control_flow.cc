// Functions, conditionals and maps over sequences: their bodies are read into
// the same graph.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/graph_reader.h"

namespace tilewise::onnx {
namespace {

// Steps of a sequence map that are read one by one.
constexpr size_t kMaxMapped = 256;

bool IsExpensive(const NodeView& node) {
  constexpr std::string_view kExpensive[] = {
      "MatMul", "Gemm", "Conv",        "ConvTranspose", "Einsum",   "LSTM",
      "GRU",    "RNN",  "QLinearConv", "QLinearMatMul", "Attention"};
  return std::find(std::begin(kExpensive), std::end(kExpensive), node.op_type) !=
         std::end(kExpensive);
}

// A rough measure to choose between branches whose shapes are not known yet.
int64_t WorkOf(const GraphView& graph) {
  constexpr int64_t kExpensively = 1000;
  int64_t work = 0;
  for (const NodeView& node : graph.nodes) {
    work += IsExpensive(node) ? kExpensively : 1;
    for (const AttributeView& attribute : node.attributes) {
      if (attribute.graph) work += WorkOf(*attribute.graph);
    }
  }
  return work;
}

StatedTypes StatedIn(const GraphView& graph) {
  StatedTypes stated;
  for (const std::vector<ValueInfoView>* list : {&graph.values, &graph.outputs}) {
    for (const ValueInfoView& info : *list) stated[info.name] = &info.type;
  }
  return stated;
}

const GraphView* GraphOf(const NodeView& node, std::string_view name) {
  const AttributeView* attribute = node.Find(name);
  return attribute == nullptr ? nullptr : attribute->graph.get();
}

}  // namespace

GraphReader::MaybeValues GraphReader::ReadBody(const NodeView& node, const GraphView& body,
                                               const Frame& frame, const EnclosingLoop& loop,
                                               const Values& inputs) {
  Scope scope(frame.scope);
  TW_RETURN_IF_ERROR(DefineInitializers(body, scope));
  for (size_t i = 0; i < body.inputs.size() && i < inputs.size(); ++i) {
    scope.Define(body.inputs[i].name, inputs[i]);
  }
  const StatedTypes stated = StatedIn(body);
  Frame inner = frame;
  inner.scope = &scope;
  inner.stated = &stated;
  inner.loop = loop;
  inner.depth = frame.depth + 1;
  TW_RETURN_IF_ERROR(ReadNodes(body.nodes, inner));
  Values outputs;
  for (const ValueInfoView& output : body.outputs) {
    const Value* value = scope.Find(output.name);
    if (value == nullptr) {
      return InvalidInput(
          fmt::format("node {} ({}): found output {} of its graph, which "
                      "nothing makes",
                      node.name, node.op_type, output.name));
    }
    outputs.push_back(*value);
  }
  return outputs;
}

GraphReader::MaybeValues GraphReader::ReadIf(const NodeView& node, const Frame& frame,
                                             const std::vector<const Value*>& inputs) {
  const GraphView* yes = GraphOf(node, "then_branch");
  const GraphView* no = GraphOf(node, "else_branch");
  if (yes == nullptr || no == nullptr) {
    return InvalidInput(fmt::format("node {}: found an If without two branches", node.name));
  }
  const bool known = !inputs.empty() && inputs[0] != nullptr && inputs[0]->known() &&
                     inputs[0]->known()->size() == 1;
  const GraphView* taken = nullptr;
  if (known) {
    taken = inputs[0]->known()->elements[0].value != 0 ? yes : no;
  } else {
    const int64_t work_yes = WorkOf(*yes);
    const int64_t work_no = WorkOf(*no);
    taken = work_yes >= work_no ? yes : no;
    const int64_t more = std::max(work_yes, work_no);
    const int64_t less = std::min(work_yes, work_no);
    if (more > 2 * less + 1) {
      Note("RD002", &node,
           fmt::format("the condition is not known: the {} branch is taken, "
                       "which does more",
                       taken == yes ? "then" : "else"));
    }
  }
  return ReadBody(node, *taken, frame, frame.loop, {});
}

GraphReader::MaybeValues GraphReader::ReadCall(const NodeView& node, const Frame& frame,
                                               const FunctionView& function,
                                               const std::vector<const Value*>& inputs) {
  Scope scope;
  for (size_t i = 0; i < function.inputs.size() && i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) scope.Define(function.inputs[i], *inputs[i]);
  }
  CallAttributes attributes;
  for (const AttributeView& attribute : function.defaults) {
    attributes[attribute.name] = &attribute;
  }
  for (const AttributeView& attribute : node.attributes) {
    const AttributeView* actual = &attribute;
    if (!attribute.reference.empty()) {
      if (frame.attributes == nullptr) continue;
      const auto at = frame.attributes->find(attribute.reference);
      if (at == frame.attributes->end()) continue;
      actual = at->second;
    }
    attributes[attribute.name] = actual;
  }
  Opsets opsets;
  for (const OpsetView& opset : function.opsets) {
    opsets[opset.domain == "ai.onnx" ? std::string_view() : opset.domain] = opset.version;
  }
  Frame inner = frame;
  inner.scope = &scope;
  inner.stated = nullptr;
  inner.opsets = opsets.empty() ? frame.opsets : &opsets;
  inner.attributes = &attributes;
  inner.prefix = ScopeOf(node, frame).scope;
  inner.depth = frame.depth + 1;
  // Operands that are left out stay left out in the body.
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    if (i < inputs.size() && inputs[i] != nullptr) continue;
    scope.Define(function.inputs[i], Value());
  }
  const absl::Status read = ReadNodes(function.nodes, inner);
  if (!read.ok()) {
    return Annotate(read, fmt::format("in a call of {}", node.op_type));
  }
  Values outputs;
  for (const std::string_view output : function.outputs) {
    const Value* value = scope.Find(output);
    outputs.push_back(value == nullptr ? Value::Host() : *value);
  }
  return outputs;
}

GraphReader::MaybeValues GraphReader::ReadSequenceMap(const NodeView& node, const Frame& frame,
                                                      const std::vector<const Value*>& inputs) {
  const GraphView* body = GraphOf(node, "body");
  if (body == nullptr || inputs.empty() || inputs[0] == nullptr ||
      inputs[0]->kind != Value::Kind::kSequence) {
    return Fallback(node, frame, inputs, InvalidInput("found no sequence to map over"));
  }
  const size_t steps = std::min(inputs[0]->items()->size(), kMaxMapped);
  std::vector<Values> results(node.outputs.size());
  for (size_t step = 0; step < steps; ++step) {
    Values operands;
    for (const Value* input : inputs) {
      const bool item = input != nullptr && input->kind == Value::Kind::kSequence &&
                        step < input->items()->size();
      operands.push_back(input == nullptr ? Value() : item ? (*input->items())[step] : *input);
    }
    TW_ASSIGN_OR_RETURN(Values outputs, ReadBody(node, *body, frame, frame.loop, operands));
    for (size_t i = 0; i < results.size() && i < outputs.size(); ++i) {
      results[i].push_back(std::move(outputs[i]));
    }
  }
  Values sequences;
  for (Values& items : results) {
    sequences.push_back(Value::Of(std::move(items)));
  }
  return sequences;
}

}  // namespace tilewise::onnx
