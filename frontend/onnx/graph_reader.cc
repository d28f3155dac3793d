// Nodes one after the other. What a node's op function cannot express goes to
// the fallback.

#include "frontend/onnx/graph_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/onnx/op_table.h"
#include "frontend/onnx/tensor_data.h"

namespace tilewise::onnx {
namespace {

// Functions that call functions; graphs within graphs.
constexpr int kMaxDepth = 96;
// Nodes read, with functions in the place of their calls, for each node of the
// file; and some for small files.
constexpr int64_t kMaxExpansion = 16;
constexpr int64_t kFreeExpansion = 50'000;

int64_t NodesIn(const std::vector<NodeView>& nodes) {
  auto count = static_cast<int64_t>(nodes.size());
  for (const NodeView& node : nodes) {
    for (const AttributeView& attribute : node.attributes) {
      if (attribute.graph) count += NodesIn(attribute.graph->nodes);
    }
  }
  return count;
}

std::string SourceName(const NodeView& node) {
  if (node.domain.empty()) return std::string(node.op_type);
  return fmt::format("{}.{}", node.domain, node.op_type);
}

bool IsGradient(const NodeView& node) {
  return node.op_type == "Gradient" || node.op_type.ends_with("Grad") ||
         node.domain == kPreviewTraining || node.op_type == "AdamOptimizer" ||
         node.op_type == "LambOptimizer" || node.op_type == "SGDOptimizer";
}

void CountUses(const GraphView& graph, absl::flat_hash_map<std::string_view, int64_t>& uses) {
  std::vector<std::string_view> reads;
  for (const NodeView& node : graph.nodes) AppendReads(node, reads);
  for (const ValueInfoView& output : graph.outputs) {
    reads.push_back(output.name);
  }
  for (const std::string_view read : reads) ++uses[read];
}

}  // namespace

std::string_view NameOf(const NodeView& node) {
  if (!node.name.empty()) return node.name;
  for (const std::string_view output : node.outputs) {
    if (!output.empty()) return output;
  }
  return node.op_type;
}

GraphReader::GraphReader(const ModelView& model, ReadSettings settings)
    : model_(model),
      settings_(std::move(settings)),
      dims_(DataInputs(model.graph), settings_.batch),
      builder_(std::string(model.graph.name)) {
  for (const OpsetView& opset : model.opsets) {
    const std::string_view domain = opset.domain == "ai.onnx" ? std::string_view() : opset.domain;
    opsets_[domain] = std::max(opsets_[domain], opset.version);
  }
  for (const std::vector<ValueInfoView>* list : {&model.graph.values, &model.graph.outputs}) {
    for (const ValueInfoView& info : *list) stated_[info.name] = &info.type;
  }
  for (const FunctionView& function : model.functions) {
    functions_.emplace(std::make_pair(function.domain, function.name), &function);
  }
  int64_t nodes = NodesIn(model.graph.nodes);
  for (const FunctionView& function : model.functions) {
    nodes += NodesIn(function.nodes);
  }
  max_expanded_ = kMaxExpansion * nodes + kFreeExpansion;
  CountUses(model.graph, uses_);
  weight_places_ = WeightNames(model.graph);
}

std::optional<Shape> GraphReader::ShapeOf(const Value& value) const {
  if (value.kind != Value::Kind::kVariable) return tilewise::ShapeOf(builder_, value);
  return weights_[value.variable].shape;
}

void GraphReader::Note(std::string_view rule, const NodeView* node, const std::string& message) {
  constexpr size_t kMaxNotes = 1000;
  if (summary_.notes.size() >= kMaxNotes) return;
  Diagnostic note;
  note.rule = rule;
  note.severity = Severity::kInfo;
  note.location.file = settings_.file;
  if (node != nullptr) note.location.item = NameOf(*node);
  note.message = message;
  summary_.notes.push_back(std::move(note));
}

NodeScope GraphReader::ScopeOf(const NodeView& node, const Frame& frame) const {
  NodeScope place;
  place.location.file = settings_.file;
  place.location.item = NameOf(node);
  place.scope =
      frame.prefix.empty() ? place.location.item : fmt::format("{}/{}", frame.prefix, NameOf(node));
  place.loop = frame.loop;
  return place;
}

int64_t GraphReader::OpsetOf(const NodeView& node, const Frame& frame) const {
  for (const Opsets* opsets : {static_cast<const Opsets*>(frame.opsets), &opsets_}) {
    if (opsets == nullptr) continue;
    const auto at = opsets->find(node.domain);
    if (at != opsets->end()) return at->second;
  }
  // Files that state no version are of the time before there were any.
  return node.domain.empty() && model_.ir_version < 3 ? 1 : 13;
}

const FunctionView* GraphReader::FunctionOf(const NodeView& node) const {
  const auto at = functions_.find({node.domain, node.op_type});
  return at == functions_.end() ? nullptr : at->second;
}

absl::StatusOr<std::vector<const Value*>> GraphReader::Operands(const NodeView& node,
                                                                const Frame& frame) {
  std::vector<const Value*> operands;
  operands.reserve(node.inputs.size());
  for (const std::string_view input : node.inputs) {
    const Value* value = input.empty() ? nullptr : frame.scope->Find(input);
    if (value == nullptr && !input.empty()) {
      return InvalidInput(fmt::format("node {} ({}): found operand {}, which nothing makes",
                                      NameOf(node), node.op_type, input));
    }
    const bool absent = value != nullptr && value->kind == Value::Kind::kNone;
    operands.push_back(absent ? nullptr : value);
  }
  return operands;
}

GraphReader::MaybeValues GraphReader::Results(const NodeView& node, const Frame& frame,
                                              std::vector<const Value*> inputs) {
  if (node.domain.empty()) {
    if (node.op_type == "If") return ReadIf(node, frame, inputs);
    if (node.op_type == "Loop") return ReadLoop(node, frame, inputs);
    if (node.op_type == "Scan") return ReadScan(node, frame, inputs);
    if (node.op_type == "SequenceMap") {
      return ReadSequenceMap(node, frame, inputs);
    }
  }
  if (!builder_.ok()) return builder_.status();
  if (std::optional<Value> weight = MadeWeight(node, inputs)) {
    return Values{*std::move(weight)};
  }
  const OpFunction make = FindOp(node.domain, node.op_type);
  if (make == nullptr) {
    const FunctionView* function = FunctionOf(node);
    if (function != nullptr) return ReadCall(node, frame, *function, inputs);
    return Fallback(node, frame, inputs,
                    InvalidInput(fmt::format("unknown op {}", SourceName(node))));
  }
  NodeContext ctx(node, OpsetOf(node, frame), settings_.training, frame, builder_, weights_,
                  ScopeOf(node, frame), inputs);
  make(ctx);
  absl::StatusOr<Values> values = ctx.Commit();
  if (!values.ok()) return Fallback(node, frame, inputs, values.status());
  for (const std::string& note : ctx.notes()) Note("RD002", &node, note);
  if (ctx.opaque()) ++summary_.opaque_ops[SourceName(node)];
  return values;
}

absl::Status GraphReader::ReadNode(const NodeView& node, const Frame& frame) {
  if (frame.depth > kMaxDepth) {
    return InvalidInput(fmt::format("node {}: found calls or graphs nested deeper than {}",
                                    NameOf(node), kMaxDepth));
  }
  if (++expanded_ > max_expanded_) {
    return InvalidInput(fmt::format(
        "found more than {} nodes with functions put in the place of calls", max_expanded_));
  }
  ++summary_.nodes;
  ++summary_.source_ops[SourceName(node)];
  summary_.has_gradients = summary_.has_gradients || IsGradient(node);
  TW_ASSIGN_OR_RETURN(std::vector<const Value*> inputs, Operands(node, frame));
  const OpId first(builder_.size());
  TW_ASSIGN_OR_RETURN(Values values, Results(node, frame, inputs));
  RecordFacts(node, inputs, first);
  CompareShapes(node, frame, values);
  for (const Value& value : values) {
    const int64_t rank = ShapeOf(value).value_or(Shape()).rank();
    if (rank <= kMaxRank) continue;
    return InvalidInput(fmt::format("node {} ({}): found a result of {} dims, expected at most {}",
                                    NameOf(node), node.op_type, rank, kMaxRank));
  }
  for (size_t i = 0; i < node.outputs.size() && i < values.size(); ++i) {
    frame.scope->Define(node.outputs[i], std::move(values[i]));
  }
  return absl::OkStatus();
}

absl::Status GraphReader::ReadNodes(const std::vector<NodeView>& nodes, const Frame& frame) {
  TW_ASSIGN_OR_RETURN(const std::vector<size_t> order, OrderOf(nodes));
  for (const size_t i : order) TW_RETURN_IF_ERROR(ReadNode(nodes[i], frame));
  return absl::OkStatus();
}

absl::StatusOr<Graph> GraphReader::Read() {
  Scope scope;
  TW_RETURN_IF_ERROR(DefineInitializers(model_.graph, scope));
  TW_RETURN_IF_ERROR(DefineInputs(scope));
  Frame frame;
  frame.opsets = &opsets_;
  frame.stated = &stated_;
  frame.dims = &dims_;
  frame.known_left = &known_left_;
  frame.loops = &loops_;
  frame.scope = &scope;
  TW_RETURN_IF_ERROR(ReadNodes(model_.graph.nodes, frame));
  TW_RETURN_IF_ERROR(AddOutputs(scope));
  RecordConstants(scope);
  for (const std::string& taken : dims_.taken()) Note("RD002", nullptr, taken);
  if (mismatches_ > 20) {
    Note("RD004", nullptr,
         fmt::format("{} more values have other shapes than the file states", mismatches_ - 20));
  }
  return builder_.Build();
}

}  // namespace tilewise::onnx
