// Lambda layers, and framework functions that a functional model calls on its
// tensors: "TFOpLambda" nodes of Keras 2 (tf.math.add, tf.nn.relu, ...) and
// operation nodes of Keras 3 (keras.ops).

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/keras/layers/families.h"
#include "frontend/keras/layers/merging.h"

namespace tilewise {
namespace {

using nlohmann::json;

// A keyword argument, or null.
const json* Argument(const LayerContext& ctx, const char* name) {
  const json& kwargs = ctx.call.kwargs;
  if (!kwargs.is_object()) return nullptr;
  const auto found = kwargs.find(name);
  return found == kwargs.end() || found->is_null() ? nullptr : &*found;
}

template <OpKind kKind>
OpId Unary(LayerContext& ctx) {
  return ctx.builder.Unary(kKind, ctx.input());
}

template <OpKind kKind>
OpId Binary(LayerContext& ctx) {
  if (ctx.inputs.size() < 2 && !NumberArgument(ctx)) {
    return ctx.Opaque(ctx.shape(ctx.input()),
                      "has an operand that cannot be read");
  }
  return CombineInputs(ctx, kKind);
}

OpId Identity(LayerContext& ctx) { return ctx.input(); }

OpId Square(LayerContext& ctx) {
  return ctx.builder.Binary(OpKind::kMultiply, ctx.input(), ctx.input());
}

OpId Cast(LayerContext& ctx) {
  const json* dtype = Argument(ctx, "dtype");
  const auto type = dtype != nullptr && dtype->is_string()
                        ? ParseDType(dtype->get<std::string>())
                        : std::nullopt;
  return type ? ctx.builder.Convert(ctx.input(), *type) : ctx.input();
}

// The dims named by the "axis" argument; all but the batch without one.
std::vector<int64_t> Axes(LayerContext& ctx) {
  std::vector<int64_t> axes;
  const json* axis = Argument(ctx, "axis");
  const int64_t rank = ctx.rank(ctx.input());
  if (axis == nullptr) {
    for (int64_t d = 0; d < rank; ++d) axes.push_back(d);
    return axes;
  }
  for (const json& item : axis->is_array() ? *axis : json::array({*axis})) {
    axes.push_back(
        ctx.NormalizeAxis(AsInteger(item).value_or(int64_t{1} << 31), rank));
  }
  return axes;
}

template <Reducer kReducer, bool kMean = false>
OpId Reduction(LayerContext& ctx) {
  const std::vector<int64_t> axes = Axes(ctx);
  Shape shape = ctx.shape(ctx.input());
  if (!ctx.builder.ok()) return kNoOp;
  double count = 1;
  for (const int64_t d : axes) {
    Dim& dim = shape.dims[static_cast<size_t>(d)];
    if (dim.per_batch) {
      return ctx.Opaque(Shape(shape.dtype, {}), "reduces over the batch");
    }
    count *= static_cast<double>(dim.factor);
    dim = {1, false};
  }
  OpId y = ctx.builder.Reduce(kReducer, ctx.input(), axes);
  if (kMean) y = ctx.builder.BinaryScalar(OpKind::kMultiply, y, 1 / count);
  const json* keep = Argument(ctx, "keepdims");
  if (keep == nullptr || *keep != true) return y;
  return ctx.builder.Reshape(y, shape.dims);
}

OpId ReshapeTo(LayerContext& ctx) {
  const json* shape = Argument(ctx, "shape");
  if (shape == nullptr) shape = Argument(ctx, "newshape");
  const Shape from = ctx.shape(ctx.input());
  int64_t elements = 1;
  for (size_t i = 1; i < from.dims.size(); ++i) {
    elements = CheckedMul(elements, from.dims[i].factor).value_or(1);
  }
  std::vector<Dim> dims = {from.dims.empty() ? Dim{} : from.dims[0]};
  int64_t product = 1;
  size_t open = 0;
  for (size_t i = 1; shape != nullptr && i < shape->size(); ++i) {
    const int64_t size = AsInteger((*shape)[i]).value_or(-1);
    if (size < 1) open = i;
    product = CheckedMul(product, size < 1 ? 1 : size).value_or(elements + 1);
    dims.push_back({size, false});
  }
  if (open != 0 && elements % product == 0) {
    dims[open].factor = elements / product;
    product = elements;
  }
  if (shape == nullptr || !shape->is_array() || product != elements) {
    return ctx.Opaque(from, "has a target shape that cannot be read");
  }
  return ctx.builder.Reshape(ctx.input(), dims);
}

OpId Transpose(LayerContext& ctx) {
  const json* perm = Argument(ctx, "perm");
  if (perm == nullptr) perm = Argument(ctx, "axes");
  std::vector<int64_t> order;
  if (perm != nullptr && perm->is_array()) {
    for (const json& d : *perm) order.push_back(AsInteger(d).value_or(-1));
  }
  return ctx.builder.Transpose(ctx.input(), order);
}

OpId ExpandDims(LayerContext& ctx) {
  const json* axis = Argument(ctx, "axis");
  std::vector<Dim> dims = ctx.shape(ctx.input()).dims;
  const int64_t at = ctx.NormalizeAxis(axis ? AsInteger(*axis).value_or(0) : -1,
                                       static_cast<int64_t>(dims.size()) + 1);
  dims.insert(dims.begin() + at, Dim{1, false});
  return ctx.builder.Reshape(ctx.input(), dims);
}

OpId ConcatenateInputs(LayerContext& ctx) {
  const json* axis = Argument(ctx, "axis");
  const int64_t dim = ctx.NormalizeAxis(
      axis ? AsInteger(*axis).value_or(0) : -1, ctx.rank(ctx.input()));
  return ctx.builder.Concatenate(ctx.inputs, dim);
}

OpId MatMulOfInputs(LayerContext& ctx) {
  if (!ctx.ExpectInputs(2)) return kNoOp;
  const int64_t rank = ctx.rank(ctx.inputs[0]);
  DotDims dims;
  for (int64_t d = 0; d + 2 < rank; ++d) {
    dims.lhs_batch.push_back(d);
    dims.rhs_batch.push_back(d);
  }
  dims.lhs_contract = {rank - 1};
  dims.rhs_contract = {ctx.rank(ctx.inputs[1]) - 2};
  return ctx.builder.Dot(ctx.inputs[0], ctx.inputs[1], dims);
}

struct NamedFunction {
  std::string_view name;
  LayerFunction build;
};
constexpr NamedFunction kFunctions[] = {
    {"__operators__.add", Binary<OpKind::kAdd>},
    {"math.add", Binary<OpKind::kAdd>},
    {"add", Binary<OpKind::kAdd>},
    {"math.subtract", Binary<OpKind::kSubtract>},
    {"subtract", Binary<OpKind::kSubtract>},
    {"math.multiply", Binary<OpKind::kMultiply>},
    {"multiply", Binary<OpKind::kMultiply>},
    {"math.divide", Binary<OpKind::kDivide>},
    {"math.truediv", Binary<OpKind::kDivide>},
    {"math.maximum", Binary<OpKind::kMaximum>},
    {"maximum", Binary<OpKind::kMaximum>},
    {"math.minimum", Binary<OpKind::kMinimum>},
    {"minimum", Binary<OpKind::kMinimum>},
    {"math.exp", Unary<OpKind::kExp>},
    {"math.log", Unary<OpKind::kLog>},
    {"math.sqrt", Unary<OpKind::kSqrt>},
    {"math.rsqrt", Unary<OpKind::kRsqrt>},
    {"math.abs", Unary<OpKind::kAbs>},
    {"math.negative", Unary<OpKind::kNegate>},
    {"math.square", Square},
    {"cast", Cast},
    {"identity", Identity},
    {"stop_gradient", Identity},
    {"reshape", ReshapeTo},
    {"transpose", Transpose},
    {"expand_dims", ExpandDims},
    {"concat", ConcatenateInputs},
    {"linalg.matmul", MatMulOfInputs},
    {"math.reduce_sum", Reduction<Reducer::kSum>},
    {"math.reduce_mean", Reduction<Reducer::kSum, true>},
    {"math.reduce_max", Reduction<Reducer::kMax>},
    {"math.reduce_min", Reduction<Reducer::kMin>},
};

OpId BuildFunction(LayerContext& ctx) {
  const std::string name = ctx.config.Text("function", "");
  for (const NamedFunction& function : kFunctions) {
    if (name == function.name) return function.build(ctx);
  }
  const size_t dot = name.rfind('.');
  const std::string activation =
      dot == std::string::npos ? name : name.substr(dot + 1);
  if (name.starts_with("nn.") || activation == "sigmoid" ||
      activation == "tanh" || activation == "softplus") {
    return ApplyActivation(ctx, activation, ctx.input());
  }
  return ctx.Opaque(
      ctx.shape(ctx.input()),
      fmt::format("calls {}, which is not known",
                  name.empty() ? "an unnamed function" : name.substr(0, 60)));
}

OpId BuildLambda(LayerContext& ctx) {
  Shape shape = ctx.shape(ctx.input());
  const json* given = ctx.config.Find("output_shape");
  if (given != nullptr && given->is_array() && !shape.dims.empty()) {
    std::vector<Dim> dims = {shape.dims[0]};
    for (const json& size : *given) {
      // A leading null is the batch.
      if (size.is_null() && dims.size() == 1) continue;
      dims.push_back({AsInteger(size).value_or(0), false});
      if (dims.back().factor < 1) dims.clear();
      if (dims.empty()) break;
    }
    if (!dims.empty()) shape.dims = dims;
  }
  return ctx.Opaque(shape, "runs code that the file does not describe");
}

constexpr LayerEntry kEntries[] = {
    {"Lambda", BuildLambda, true},
    {"TFOpLambda", BuildFunction, true},
    // Keras 3 operations.
    {"TrueDivide", Binary<OpKind::kDivide>, true},
    {"Divide", Binary<OpKind::kDivide>, true},
    {"Power", Binary<OpKind::kPower>, true},
    {"Exp", Unary<OpKind::kExp>, true},
    {"Log", Unary<OpKind::kLog>, true},
    {"Sqrt", Unary<OpKind::kSqrt>, true},
    {"Rsqrt", Unary<OpKind::kRsqrt>, true},
    {"Absolute", Unary<OpKind::kAbs>, true},
    {"Negative", Unary<OpKind::kNegate>, true},
    {"Tanh", Unary<OpKind::kTanh>, true},
    {"Sigmoid", Unary<OpKind::kLogistic>, true},
    {"Square", Square, true},
    {"Cast", Cast, true},
    {"Identity", Identity, true},
    {"StopGradient", Identity, true},
    {"Transpose", Transpose, true},
    {"ExpandDims", ExpandDims, true},
    {"Matmul", MatMulOfInputs, true},
    {"Sum", Reduction<Reducer::kSum>, true},
    {"Mean", Reduction<Reducer::kSum, true>, true},
    {"Max", Reduction<Reducer::kMax>, true},
};

}  // namespace

std::span<const LayerEntry> FunctionLayers() { return kEntries; }

}  // namespace tilewise
