// What the function of one op sees of its node.

#include "frontend/tensorflow/ops/op_context.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/graph_state.h"

namespace tilewise::tf {
namespace {

// More results than any op has: what a hostile count may ask for.
constexpr int64_t kMaxResults = 1 << 16;

}  // namespace

OpContext::OpContext(GraphState& state, const NodeDef& node, Attrs attrs, std::vector<Value> inputs)
    : builder(state.builder),
      state_(state),
      node_(node),
      attrs_(attrs),
      inputs_(std::move(inputs)) {}

const Value& OpContext::input(int64_t i) const {
  static const Value kNothing;
  return i >= 0 && i < num_inputs() ? inputs_[i] : kNothing;
}

OpId OpContext::Operand(int64_t i) {
  const Value& value = input(i);
  switch (value.kind) {
    case Value::Kind::kOp:
      return value.op;
    case Value::Kind::kKnown:
      return state_.Materialize(value.known());
    case Value::Kind::kResource:
      return ReadVariable(i);
    case Value::Kind::kList:
      if (value.list()->stacked != kNoOp) return value.list()->stacked;
      break;
    case Value::Kind::kNone:
    case Value::Kind::kHost:
      break;
  }
  builder.Fail(fmt::format("operand {} of {} is not known, expected a tensor", i, node_.op));
  return kNoOp;
}

std::vector<OpId> OpContext::Operands(int64_t begin, int64_t end) {
  std::vector<OpId> operands;
  operands.reserve(std::max<int64_t>(end - begin, 0));
  for (int64_t i = begin; i < end; ++i) operands.push_back(Operand(i));
  return operands;
}

bool OpContext::IsTensor(int64_t i) const {
  const Value& value = input(i);
  return value.kind == Value::Kind::kOp || value.kind == Value::Kind::kKnown ||
         (value.kind == Value::Kind::kResource && Variable(i)->shape);
}

const KnownValue* OpContext::Known(int64_t i) const { return input(i).known().get(); }

std::optional<std::vector<int64_t>> OpContext::KnownInts(int64_t i) const {
  const KnownValue* known = Known(i);
  return known != nullptr ? KnownIntegers(*known) : std::nullopt;
}

std::optional<int64_t> OpContext::KnownInt(int64_t i) const {
  const KnownValue* known = Known(i);
  return known != nullptr ? KnownInteger(*known) : std::nullopt;
}

std::optional<double> OpContext::KnownNumber(int64_t i) const {
  const KnownValue* known = Known(i);
  return known != nullptr ? KnownReal(*known) : std::nullopt;
}

std::optional<Shape> OpContext::InputShape(int64_t i) const {
  const Value& value = input(i);
  switch (value.kind) {
    case Value::Kind::kOp:
      return builder.shape(value.op);
    case Value::Kind::kKnown:
      return Shape::Of(value.known()->dtype, value.known()->dims);
    case Value::Kind::kResource:
      return Variable(i)->shape;
    case Value::Kind::kHost:
      if (value.host_dims()) return Shape(DType::kU8, *value.host_dims());
      return std::nullopt;
    case Value::Kind::kNone:
    case Value::Kind::kList:
      break;
  }
  return std::nullopt;
}

const TensorList* OpContext::List(int64_t i) const { return input(i).list().get(); }

bool OpContext::HasHostInput() const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](const Value& value) { return value.kind == Value::Kind::kHost; });
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

std::string_view OpContext::String(std::string_view name, std::string_view otherwise) const {
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

void OpContext::SetResult(int64_t i, Value value) {
  if (i < 0 || i >= kMaxResults) {
    builder.Fail(
        fmt::format("found result {} of {}, expected fewer than {}", i, node_.op, kMaxResults));
    return;
  }
  if (i >= static_cast<int64_t>(results_.size())) {
    results_.resize(static_cast<size_t>(i) + 1);
  }
  results_[i] = std::move(value);
}

bool OpContext::SetIfKnown(int64_t i, MaybeKnown value) {
  if (!value) return false;
  SetKnown(i, std::move(*value));
  return true;
}

void OpContext::SetFedByHost(int64_t i, Shape shape) {
  const std::string name = i == 0 ? std::string(node_.name) : fmt::format("{}:{}", node_.name, i);
  SetOp(i, state_.Parameter(std::move(shape), name));
}

void OpContext::SetHost(int64_t i, std::optional<std::vector<Dim>> dims) {
  SetResult(i, Value::Host(std::move(dims)));
}

void OpContext::SetOpaque(int64_t i, Shape shape) {
  std::vector<OpId> operands;
  for (int64_t j = 0; j < num_inputs(); ++j) {
    if (IsTensor(j)) operands.push_back(Operand(j));
  }
  SetOp(i, builder.Opaque(node_.op, std::move(operands), std::move(shape)));
  if (!opaque_) ++state_.opaque[std::string(node_.op)];
  opaque_ = true;
}

const VariableState* OpContext::Variable(int64_t i) const {
  const Value& value = input(i);
  if (value.kind != Value::Kind::kResource) return nullptr;
  return &state_.variables[static_cast<size_t>(value.resource)];
}

OpId OpContext::ReadVariable(int64_t i) {
  if (Variable(i) == nullptr) {
    builder.Fail(fmt::format("operand {} of {} is not a variable", i, op()));
    return kNoOp;
  }
  std::optional<Shape> fallback;
  const std::optional<DType> dtype = Type("dtype");
  if (dtype) fallback = RecordedShape(0, *dtype);
  return state_.ReadVariable(input(i).resource, fallback);
}

void OpContext::UpdateVariable(int64_t i, OpId value) {
  if (Variable(i) == nullptr) return;
  state_.variables[static_cast<size_t>(input(i).resource)].updated = value;
}

Value OpContext::AddVariable(std::string_view name, std::optional<Shape> shape) {
  return Value::Resource(state_.Variable(name, std::move(shape), true));
}

int64_t OpContext::loop_trips() const { return state_.loop.trips; }

LoopPlace OpContext::loop_place() const { return state_.loop.place; }

int32_t OpContext::NewLoop() { return ++state_.loops; }

void OpContext::Note(std::string_view id, std::string message) {
  const std::string_view name = id == "RD001"   ? "unknown-layer"
                                : id == "RD002" ? "cannot-resolve"
                                : id == "RD004" ? "shape-disagrees"
                                                : "ignored-part";
  state_.Note(id, name, std::move(message));
}

}  // namespace tilewise::tf
