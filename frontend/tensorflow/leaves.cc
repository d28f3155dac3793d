// Nodes without operands: constants, placeholders, variables, and what the host
// feeds.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/shape_from_use.h"

namespace tilewise::tf {
namespace {

// Taken where a file leaves a size open that is not the batch.
constexpr int64_t kOpenSize = 128;
constexpr int64_t kOpenImageSize = 224;
constexpr int64_t kMaxColors = 4;

// Dims with the batch in the first place when that is open, and sizes in the
// place of other open ones; `taken` says which.
std::optional<std::vector<Dim>> CloseDims(const TensorShape& shape, Dim batch, std::string& taken) {
  std::vector<Dim> dims;
  dims.reserve(shape.dims.size());
  const bool image = shape.dims.size() == 4 && shape.dims[3] > 0 && shape.dims[3] <= kMaxColors;
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (shape.dims[i] == 0) return std::nullopt;
    if (shape.dims[i] > 0) {
      dims.push_back(Dim{shape.dims[i]});
    } else if (i == 0) {
      dims.push_back(batch);
    } else {
      const int64_t size = image ? kOpenImageSize : kOpenSize;
      dims.push_back(Dim{size});
      taken += fmt::format("{}dim {} is {}", taken.empty() ? "" : ", ", i, size);
    }
  }
  return dims;
}

// The name that users gave an argument of a function or a placeholder.
std::string_view UserName(const NodeDef& node) {
  return AttrString(node.attrs, "_user_specified_name").value_or(node.name);
}

std::optional<TensorShape> FirstRecorded(Attrs attrs) {
  const auto shapes = AttrShapes(attrs, "_output_shapes");
  if (!shapes || shapes->empty() || shapes->front().unknown_rank) {
    return std::nullopt;
  }
  return shapes->front();
}

}  // namespace

Value Evaluator::Const(const NodeDef& node, Attrs attrs) {
  std::optional<TensorValue> tensor = AttrTensor(attrs, "value");
  if (!tensor) {
    state_.Note("RD001", "unknown-layer",
                fmt::format("constant {} has no value that can be read", node.name));
    return {};
  }
  const std::optional<DType> dtype = ToDType(tensor->type);
  if (!dtype) {
    return OnHost(OpContext::ToDims(tensor->shape));
  }
  if (tensor->known) {
    const bool weight = IsFloat(*dtype) && tensor->known->size() > 1 && !tensor->splat;
    Value value = Value::Of(std::move(*tensor->known));
    if (weight) state_.AddWeight(value.known(), node.name);
    return value;
  }
  const auto dims = OpContext::ToDims(tensor->shape);
  if (!dims) return {};
  const Shape shape(*dtype, *dims);
  if (!shape.is_static()) return {};
  if (tensor->splat) {
    state_.builder.SetLoop({});
    return Value::Of(state_.builder.Constant(*tensor->splat, shape));
  }
  const OpId weight = state_.Weight(shape, node.name, IsFloat(*dtype));
  state_.facts.constants.push_back({weight, kNoOp});
  return Value::Of(weight);
}

Value Evaluator::FedTensor(const std::optional<TensorShape>& shape, DataType type,
                           std::string_view name) {
  const std::optional<DType> dtype = ToDType(type);
  std::string taken;
  std::optional<std::vector<Dim>> dims;
  if (shape && !shape->unknown_rank) {
    dims = CloseDims(*shape, state_.batch, taken);
    if (!dims) return {};
  } else {
    taken = "its rank is 1, of the batch";
    dims = std::vector<Dim>{state_.batch};
  }
  if (!dtype) return OnHost(std::move(dims));
  if (!taken.empty()) {
    state_.Note("RD002", "cannot-resolve",
                fmt::format("the shape of input {} is not all in the file; "
                            "what is taken: {}",
                            name, taken));
  }
  const OpId parameter = state_.Parameter(Shape(*dtype, std::move(*dims)), name);
  if (shape && !taken.empty()) RecordOpenDims(*shape, parameter);
  return Value::Of(parameter);
}

void Evaluator::RecordOpenDims(const TensorShape& shape, OpId parameter) {
  for (size_t i = 1; i < shape.dims.size(); ++i) {
    if (shape.dims[i] >= 0) continue;
    const Dim& taken = state_.builder.shape(parameter).dims[i];
    state_.facts.unknown_dims.push_back({parameter, static_cast<int64_t>(i), taken.factor, false});
  }
}

Value Evaluator::Placeholder(Instance& in, int32_t number) {
  const NodeDef& node = in.index().node(number);
  const Attrs attrs = ResolvedAttrs(in, node);
  const DataType type =
      AttrType(attrs, "dtype").value_or(AttrType(attrs, "T").value_or(DataType::kFloat));
  if (node.op == "PlaceholderWithDefault") {
    Value value = in.Get(in.index().inputs(number).empty() ? Edge{} : in.index().inputs(number)[0]);
    if (value.known() != nullptr && value.known()->rank() == 0) return value;
  }
  if (type == DataType::kResource) {
    std::optional<Shape> shape;
    const auto types = AttrTypes(attrs, "_handle_dtypes");
    const auto shapes = AttrShapes(attrs, "_handle_shapes");
    if (types && shapes && !types->empty() && !shapes->empty()) {
      const auto dtype = ToDType(types->front());
      const auto dims = OpContext::ToDims(shapes->front());
      if (dtype && dims) shape = Shape(*dtype, *dims);
    }
    const std::string_view name = UserName(node);
    const auto trained = facts_.trainable.find(name);
    return Value::OfVariable(state_.Variable(name, std::move(shape),
                                             trained == facts_.trainable.end() || trained->second));
  }
  std::optional<TensorShape> shape = AttrShape(attrs, "shape");
  // An empty shape stood for an unknown one before version 24 of the format.
  constexpr int32_t kScalarShapes = 24;
  const int32_t producer = state_.graph.producer;
  if (shape && shape->dims.empty() && producer < kScalarShapes) shape.reset();
  const auto stated = facts_.input_shapes.find(node.name);
  if ((!shape || shape->unknown_rank) && stated != facts_.input_shapes.end()) {
    shape = stated->second;
  }
  if (!shape || shape->unknown_rank) shape = FirstRecorded(attrs);
  // The uses of a leaf are asked before the batch is taken for all there is to
  // it.
  constexpr int64_t kMaxGuesses = 64;
  if (!shape && ++guesses_ <= kMaxGuesses) {
    shape = ShapeFromUse(in.index(), number, type);
  }
  const bool scalar = !shape || shape->dims.empty();
  if (type == DataType::kBool && scalar) {
    const bool training = facts_.training;
    state_.Note("RD002", "cannot-resolve",
                fmt::format("input {} is taken to be {}", node.name, training));
    return Value::Of(KnownScalar(training ? 1 : 0, DType::kPred));
  }
  return FedTensor(shape, type, UserName(node));
}

Value Evaluator::VariableNode(const NodeDef& node, Attrs attrs) {
  std::optional<Shape> shape;
  const auto type = AttrType(attrs, "dtype");
  const auto dtype = type ? ToDType(*type) : std::nullopt;
  const auto stated = AttrShape(attrs, "shape");
  if (stated && dtype) {
    const auto dims = OpContext::ToDims(*stated);
    if (dims && Shape(*dtype, *dims).is_static()) shape = Shape(*dtype, *dims);
  }
  // A shared name is the variable's own, but for one that says there is none.
  constexpr std::string_view kAnonymous = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";
  std::string_view name = AttrString(attrs, "shared_name").value_or("");
  if (name.empty() || name == kAnonymous) name = node.name;
  const auto trained = facts_.trainable.find(name);
  const bool trainable = trained == facts_.trainable.end() || trained->second;
  const int32_t variable = state_.Variable(name, std::move(shape), trainable);
  state_.variables[variable].device = node.device;
  return Value::OfVariable(variable);
}

std::vector<Value> Evaluator::Feed(const NodeDef& node, Attrs attrs) {
  std::vector<DataType> types;
  for (const std::string_view name : {"output_types", "dtypes", "component_types"}) {
    if (types.empty()) {
      types = AttrTypes(attrs, name).value_or(std::vector<DataType>{});
    }
  }
  for (const std::string_view name : {"dtype", "tensor_type"}) {
    if (!types.empty()) break;
    const auto type = AttrType(attrs, name);
    if (type) types.push_back(*type);
  }
  std::vector<TensorShape> shapes;
  for (const std::string_view name : {"output_shapes", "shapes", "_output_shapes"}) {
    if (shapes.empty()) {
      shapes = AttrShapes(attrs, name).value_or(std::vector<TensorShape>{});
    }
  }
  const auto single = AttrShape(attrs, "shape");
  if (shapes.empty() && single) shapes.push_back(*single);
  std::vector<Value> values;
  values.reserve(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    std::optional<TensorShape> shape;
    if (i < shapes.size()) shape = shapes[i];
    const std::string name = i == 0 ? std::string(node.name) : fmt::format("{}:{}", node.name, i);
    values.push_back(FedTensor(shape, types[i], name));
  }
  return values;
}

}  // namespace tilewise::tf
