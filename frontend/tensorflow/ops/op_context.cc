// What the function of one op sees of its node.

#include "frontend/tensorflow/ops/op_context.h"

#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/graph_state.h"

namespace tilewise::tf {
OpContext::OpContext(GraphState& state, const NodeDef& node, Attrs attrs, std::vector<Value> inputs)
    : ReaderContext(state.builder, node.op, std::move(inputs)),
      state_(state),
      node_(node),
      attrs_(attrs),
      mark_(state.builder.MarkHere()) {}

bool OpContext::HasHostInput() const {
  for (int64_t i = 0; i < num_inputs(); ++i) {
    if (input(i).kind == Value::Kind::kHost) return true;
  }
  return false;
}

int64_t OpContext::Int(std::string_view name, int64_t otherwise) const {
  return AttrInt(attrs_, name).value_or(otherwise);
}

double OpContext::Float(std::string_view name, double otherwise) const {
  return AttrFloat(attrs_, name).value_or(otherwise);
}

bool OpContext::Bool(std::string_view name, bool otherwise) const {
  return AttrBool(attrs_, name).value_or(otherwise);
}

std::string_view OpContext::Text(std::string_view name, std::string_view otherwise) const {
  return AttrString(attrs_, name).value_or(otherwise);
}

std::vector<int64_t> OpContext::Ints(std::string_view name) const {
  return AttrInts(attrs_, name).value_or(std::vector<int64_t>{});
}

std::optional<DType> OpContext::Type(std::string_view name) const {
  const std::optional<DataType> type = AttrType(attrs_, name);
  return type ? ToDType(*type) : std::nullopt;
}

std::optional<TensorShape> OpContext::ShapeAttr(std::string_view name) const {
  return AttrShape(attrs_, name);
}

const FunctionDef* OpContext::Function(std::string_view attr) const {
  const std::optional<FunctionRef> function = AttrFunction(attrs_, attr);
  return function ? state_.graph.Function(function->name) : nullptr;
}

std::optional<Shape> OpContext::RecordedShape(int64_t result, DType dtype) const {
  std::optional<std::vector<Dim>> dims;
  const auto shapes = AttrShapes(attrs_, "_output_shapes");
  if (shapes && result >= 0 && result < static_cast<int64_t>(shapes->size())) {
    dims = ToDims((*shapes)[result]);
  } else if (result == 0) {
    const std::optional<TensorShape> shape = AttrShape(attrs_, "shape");
    if (shape) dims = ToDims(*shape);
  }
  if (!dims) return std::nullopt;
  for (Dim& dim : *dims) {
    if (dim.per_batch) dim = state_.batch;
  }
  return Shape(dtype, std::move(*dims));
}

std::optional<std::vector<Dim>> OpContext::ToDims(const TensorShape& shape) {
  if (shape.unknown_rank) return std::nullopt;
  std::vector<Dim> dims;
  dims.reserve(shape.dims.size());
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    const int64_t size = shape.dims[i];
    if (size == 0 || (size < 0 && i > 0)) return std::nullopt;
    dims.push_back(size < 0 ? BatchDim() : Dim{size});
  }
  return dims;
}

void OpContext::SetFedByHost(int64_t i, Shape shape) {
  const std::string name = i == 0 ? std::string(node_.name) : fmt::format("{}:{}", node_.name, i);
  Set(i, state_.Parameter(std::move(shape), name));
}

void OpContext::SetHost(int64_t i, std::optional<std::vector<Dim>> dims) {
  SetValue(i, OnHost(std::move(dims)));
}

const VariableState* OpContext::Variable(int64_t i) const {
  const Value& value = input(i);
  if (value.kind != Value::Kind::kVariable) return nullptr;
  return &state_.variables[value.variable];
}

OpId OpContext::Read(int32_t variable) {
  std::optional<Shape> recorded;
  if (const std::optional<DType> dtype = Type("dtype")) recorded = RecordedShape(0, *dtype);
  return state_.ReadVariable(variable, recorded);
}

std::optional<Shape> OpContext::ShapeOfVariable(int32_t variable) const {
  return state_.variables[variable].shape;
}

OpId OpContext::Materialized(const Value& value) { return state_.Materialize(value.known()); }

OpId OpContext::ReadVariable(int64_t i) {
  if (Variable(i) != nullptr) return Read(input(i).variable);
  Fail(fmt::format("operand {} of {} is not a variable", i, op()));
  return kNoOp;
}

void OpContext::UpdateVariable(int64_t i, OpId value) {
  if (Variable(i) != nullptr) updates_.emplace_back(input(i).variable, value);
}

Value OpContext::AddVariable(std::string_view name, std::optional<Shape> shape) {
  return Value::OfVariable(state_.Variable(name, std::move(shape), true));
}

int64_t OpContext::loop_trips() const { return state_.loop.trip_count; }

int32_t OpContext::NewLoop() { return ++state_.loops; }

void OpContext::Note(std::string_view id, std::string message) {
  const std::string_view name = id == "RD001"   ? "unknown-layer"
                                : id == "RD002" ? "cannot-resolve"
                                : id == "RD004" ? "shape-disagrees"
                                                : "ignored-part";
  state_.Note(id, name, std::move(message));
}

absl::Status OpContext::Commit(const absl::Status& status) {
  const bool back = Settle(mark_, status.ok() && updates_.empty());
  absl::Status failed = builder().TakeStatus();
  if (!status.ok()) failed = status;
  if (back || !failed.ok()) state_.RollBack(mark_);
  if (!failed.ok()) return failed;
  for (const auto& [variable, value] : updates_) {
    state_.variables[variable].updated = value;
  }
  if (opaque()) ++state_.opaque[std::string(op())];
  return failed;
}

}  // namespace tilewise::tf
