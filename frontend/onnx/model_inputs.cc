// What a graph begins with: inputs, initializers, and inputs that are weights;
// and what it ends with.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "frontend/onnx/graph_reader.h"
#include "frontend/onnx/tensor_data.h"

namespace tilewise::onnx {
namespace {

// Elements up to which a constant of floats in the graph is no weight.
constexpr int64_t kSmallConstant = 4096;

int64_t Elements(const Shape& shape) {
  int64_t count = 1;
  for (const Dim& dim : shape.dims) count *= dim.factor;
  return count;
}

// Whether operand `i` of such a node is a weight in every model.
bool IsWeightOperand(const NodeView& node, size_t i) {
  const std::string_view op = node.op_type;
  if (op == "Conv" || op == "ConvTranspose") return i == 1 || i == 2;
  if (op == "BatchNormalization" || op == "InstanceNormalization" || op == "LayerNormalization" ||
      op == "GroupNormalization" || op == "PRelu") {
    return i >= 1;
  }
  if (op == "Gemm") return i >= 1;
  if (op == "LSTM" || op == "GRU" || op == "RNN") return i >= 1 && i <= 3;
  return false;
}

// Whether operand `i` is what such a node works on: data.
bool IsDataOperand(const NodeView& node, size_t i) {
  const std::string_view op = node.op_type;
  if (i == 1) return op == "Gather";
  return i == 0 && (op == "Conv" || op == "ConvTranspose" || op == "Gemm" || op == "LSTM" ||
                    op == "GRU" || op == "RNN" || op == "MatMul" || op == "BatchNormalization");
}

bool IsStaticFloat(const ValueInfoView& input) {
  const std::optional<DType> dtype = ElementOf(input.type.element);
  return dtype && IsFloat(*dtype) && input.type.has_shape &&
         std::all_of(input.type.dims.begin(), input.type.dims.end(), [](const DimView& dim) {
           return dim.kind == DimView::Kind::kValue && dim.value > 0;
         });
}

// Statistics of batch norms: kept, not trained.
std::set<std::string_view> Statistics(const GraphView& graph) {
  std::set<std::string_view> names;
  for (const NodeView& node : graph.nodes) {
    if (node.op_type != "BatchNormalization") continue;
    for (size_t i = 3; i < node.inputs.size(); ++i) {
      names.insert(node.inputs[i]);
    }
  }
  return names;
}

}  // namespace

std::vector<const ValueInfoView*> DataInputs(const GraphView& graph) {
  absl::flat_hash_map<std::string_view, bool> initialized;
  for (const TensorView& tensor : graph.initializers) {
    initialized[tensor.name] = true;
  }
  std::vector<const ValueInfoView*> inputs;
  for (const ValueInfoView& input : graph.inputs) {
    if (!initialized.contains(input.name)) inputs.push_back(&input);
  }
  return inputs;
}

std::vector<const ValueInfoView*> WeightInputs(const GraphView& graph) {
  const std::vector<const ValueInfoView*> inputs = DataInputs(graph);
  absl::flat_hash_map<std::string_view, std::pair<bool, bool>> places;
  for (const NodeView& node : graph.nodes) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      auto& [weight, data] = places[node.inputs[i]];
      weight = weight || IsWeightOperand(node, i);
      data = data || IsDataOperand(node, i);
    }
  }
  const bool without_parameters =
      inputs.size() > 2 &&
      std::any_of(inputs.begin() + 1, inputs.end(), [&](const ValueInfoView* input) {
        return places[input->name].first && IsStaticFloat(*input);
      });
  std::vector<const ValueInfoView*> weights;
  if (!without_parameters) return weights;
  for (const ValueInfoView* input : inputs) {
    if (input == inputs[0] || !IsStaticFloat(*input)) continue;
    const auto [weight, data] = places[input->name];
    if (weight || !data) weights.push_back(input);
  }
  return weights;
}

std::set<std::string_view> WeightNames(const GraphView& graph) {
  std::set<std::string_view> names;
  for (const NodeView& node : graph.nodes) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (IsWeightOperand(node, i)) names.insert(node.inputs[i]);
    }
  }
  return names;
}

std::optional<Value> GraphReader::MadeWeight(const NodeView& node,
                                             const std::vector<const Value*>& inputs) {
  const bool fills = node.domain.empty() && node.op_type == "ConstantOfShape" &&
                     node.outputs.size() == 1 && inputs.size() == 1 &&
                     weight_places_.contains(node.outputs[0]);
  if (!fills || inputs[0] == nullptr || !inputs[0]->known()) return std::nullopt;
  const auto dims = KnownAsDims(*inputs[0]->known());
  const AttributeView* given = node.Find("value");
  const std::optional<DType> dtype = given == nullptr || !given->tensor
                                         ? std::optional(DType::kF32)
                                         : ElementOf(given->tensor->data_type);
  if (!dims || !dtype || !IsFloat(*dtype)) return std::nullopt;
  Shape shape(*dtype, *dims);
  if (!shape.is_static() || HasNoElements(shape)) return std::nullopt;
  return AddWeight(weights_,
                   Weight{std::string(node.outputs[0]), std::move(shape),
                          !statistics_.contains(node.outputs[0]), uses_[node.outputs[0]] == 1});
}

absl::StatusOr<Value> GraphReader::ConstantValue(const TensorView& tensor, bool weight) {
  if (tensor.data_type == onnx_format::TensorProto::STRING) {
    return Value::Host();
  }
  TW_ASSIGN_OR_RETURN(Shape shape, TensorShape(tensor));
  const bool small = Elements(shape) <= (weight && IsFloat(shape.dtype) ? 1 : kSmallConstant);
  if (small) {
    if (MaybeKnown known = KnownTensor(tensor)) {
      return Value::Of(*std::move(known));
    }
  }
  if (HasNoElements(shape)) return Value::Empty(std::move(shape));
  const bool trainable = IsFloat(shape.dtype) && (weight || Elements(shape) > kSmallConstant);
  return AddWeight(weights_, Weight{tensor.name.empty() ? "constant" : std::string(tensor.name),
                                    std::move(shape), trainable, false, &tensor});
}

absl::Status GraphReader::DefineInitializers(const GraphView& graph, Scope& scope) {
  for (const TensorView& tensor : graph.initializers) {
    TW_ASSIGN_OR_RETURN(Value value, ConstantValue(tensor, /*weight=*/true));
    if (value.kind == Value::Kind::kVariable) {
      const auto at = uses_.find(tensor.name);
      weights_.back().one_use = at != uses_.end() && at->second == 1;
    }
    scope.Define(tensor.name, std::move(value));
  }
  if (&graph == &model_.graph) statistics_ = Statistics(graph);
  for (const std::string_view name : Statistics(graph)) {
    const Value* value = scope.Find(name);
    if (value == nullptr || value->kind != Value::Kind::kVariable) continue;
    weights_[value->variable].trainable = false;
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> GraphReader::InputValue(const ValueInfoView& input) {
  const TypeView& type = input.type;
  const std::optional<DType> dtype = ElementOf(type.element);
  if (type.kind == TypeView::Kind::kHost || type.kind == TypeView::Kind::kNone || !dtype) {
    return Value::Host();
  }
  if (!type.has_shape && type.kind != TypeView::Kind::kTensor) {
    return Value::Host();
  }
  if (type.dims.size() > static_cast<size_t>(kMaxRank)) {
    return InvalidInput(
        fmt::format("input {}: found {} dims, expected at most "
                    "{}",
                    input.name, type.dims.size(), kMaxRank));
  }
  Shape shape(*dtype, {});
  for (size_t i = 0; i < type.dims.size(); ++i) {
    shape.dims.push_back(dims_.Resolve(type.dims[i], input.name, i, type.dims.size()));
  }
  Location location;
  location.file = settings_.file;
  location.item = input.name;
  builder_.SetLocation(location);
  const OpId id = builder_.Parameter(shape, input.name);
  if (!builder_.ok()) return builder_.status();
  RecordOpenDims(input, id);
  if (!type.has_shape) {
    Note("RD002", nullptr,
         fmt::format("the shape of input {} is not in the file, taken as that "
                     "of a single number",
                     input.name));
  }
  Value value = Value::Of(id);
  if (type.kind != TypeView::Kind::kSequence) return value;
  Note("RD002", nullptr,
       fmt::format("input {} is a sequence, taken as one of 1 element", input.name));
  return Value::Of(std::vector<Value>{std::move(value)});
}

absl::Status GraphReader::DefineInputs(Scope& scope) {
  const std::vector<const ValueInfoView*> list = WeightInputs(model_.graph);
  const std::set<const ValueInfoView*> weights(list.begin(), list.end());
  for (const ValueInfoView* input : DataInputs(model_.graph)) {
    if (!weights.contains(input)) {
      TW_ASSIGN_OR_RETURN(Value value, InputValue(*input));
      scope.Define(input->name, std::move(value));
      continue;
    }
    TensorView tensor;
    tensor.name = input->name;
    tensor.data_type = input->type.element;
    for (const DimView& dim : input->type.dims) {
      tensor.dims.push_back(dim.value);
    }
    TW_ASSIGN_OR_RETURN(Shape shape, TensorShape(tensor));
    scope.Define(input->name, AddWeight(weights_, Weight{std::string(input->name), std::move(shape),
                                                         !statistics_.contains(input->name),
                                                         uses_[input->name] == 1}));
  }
  if (!weights.empty()) {
    Note("RD003", nullptr,
         fmt::format("{} inputs are weights by their use: they are taken as "
                     "variables of the model",
                     weights.size()));
  }
  return absl::OkStatus();
}

absl::Status GraphReader::AddOutputs(const Scope& scope) {
  int64_t added = 0;
  std::vector<Value> pending;
  for (const ValueInfoView& output : model_.graph.outputs) {
    const Value* value = scope.Find(output.name);
    if (value == nullptr) {
      return InvalidInput(
          fmt::format("found output {} of the graph, which nothing makes", output.name));
    }
    if (value->kind == Value::Kind::kSequence) {
      pending.insert(pending.end(), value->items()->begin(), value->items()->end());
    } else {
      pending.push_back(*value);
    }
  }
  for (const Value& value : pending) {
    if (!value.is_tensor()) continue;
    NodeScope place;
    place.location.file = settings_.file;
    TW_ASSIGN_OR_RETURN(const OpId id, Realized(place, value));
    builder_.AddOutput(id, Output::Role::kResult);
    ++added;
  }
  if (added > 0) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found {} outputs of the graph, none that a device computes, "
                  "expected one or more",
                  model_.graph.outputs.size()));
}

}  // namespace tilewise::onnx
