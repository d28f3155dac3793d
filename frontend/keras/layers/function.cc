// Lambda layers, and framework functions that a functional model calls on its
// tensors: "TFOpLambda" nodes of Keras 2 (tf.math.add, tf.nn.relu, ...) and
// operation nodes of Keras 3 (keras.ops).

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/array_function.h"
#include "frontend/keras/layers/families.h"
#include "frontend/keras/layers/merging.h"
#include "frontend/keras/layers/tensor_function.h"

namespace tilewise {
namespace {

using nlohmann::json;

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

OpId SquaredDifference(LayerContext& ctx) {
  const OpId y = Binary<OpKind::kSubtract>(ctx);
  return ctx.builder.Binary(OpKind::kMultiply, y, y);
}

// log(1 + x)
OpId Log1p(LayerContext& ctx) {
  return ctx.builder.Unary(
      OpKind::kLog, ctx.builder.BinaryScalar(OpKind::kAdd, ctx.input(), 1));
}

// Bounds that are tensors cost what numbers cost.
OpId Clip(LayerContext& ctx) {
  const json* low =
      Argument(ctx, {"clip_value_min", "min_value", "x_min", "y"});
  const json* high =
      Argument(ctx, {"clip_value_max", "max_value", "x_max", "z"});
  const auto number = [](const json* value, double otherwise) {
    return value != nullptr && value->is_number() ? value->get<double>()
                                                  : otherwise;
  };
  const OpId raised =
      ctx.builder.BinaryScalar(OpKind::kMaximum, ctx.input(), number(low, 0));
  return ctx.builder.BinaryScalar(OpKind::kMinimum, raised, number(high, 1));
}

OpId Cast(LayerContext& ctx) {
  const json* dtype = Argument(ctx, {"dtype"});
  const auto type = dtype != nullptr && dtype->is_string()
                        ? ParseDType(dtype->get<std::string>())
                        : std::nullopt;
  return type ? ctx.builder.Convert(ctx.input(), *type) : ctx.input();
}

// The dims named by the "axis" argument; all but the batch without one.
std::vector<int64_t> Axes(LayerContext& ctx) {
  std::vector<int64_t> axes;
  const json* axis = Argument(ctx, {"axis", "y"});
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
OpId ReducedBy(LayerContext& ctx) {
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
  const json* keep = Argument(ctx, {"keepdims", "keep_dims"});
  if (keep == nullptr || *keep != true) return y;
  return ctx.builder.Reshape(y, shape.dims);
}

bool IsSet(const LayerContext& ctx, const char* flag) {
  const json* value = Argument(ctx, {flag});
  return value != nullptr && *value == true;
}

OpId MatMulOfInputs(LayerContext& ctx) {
  if (ctx.inputs.size() != 2) {
    return ctx.Opaque(ctx.shape(ctx.input()),
                      "has an operand that cannot be read");
  }
  const int64_t rank = ctx.rank(ctx.inputs[0]);
  if (rank < 2 || ctx.rank(ctx.inputs[1]) != rank) {
    return ctx.Opaque(ctx.shape(ctx.input()),
                      "multiplies tensors of different ranks");
  }
  DotDims dims;
  for (int64_t d = 0; d + 2 < rank; ++d) {
    dims.lhs_batch.push_back(d);
    dims.rhs_batch.push_back(d);
  }
  dims.lhs_contract = {IsSet(ctx, "transpose_a") ? rank - 2 : rank - 1};
  dims.rhs_contract = {IsSet(ctx, "transpose_b") ? rank - 1 : rank - 2};
  return ctx.builder.Dot(ctx.inputs[0], ctx.inputs[1], dims);
}

struct NamedFunction {
  std::string_view name;
  LayerFunction build;
};
// By the last part of their names.
constexpr NamedFunction kNamedFunctions[] = {
    {"add", Binary<OpKind::kAdd>},
    {"subtract", Binary<OpKind::kSubtract>},
    {"multiply", Binary<OpKind::kMultiply>},
    {"divide", Binary<OpKind::kDivide>},
    {"truediv", Binary<OpKind::kDivide>},
    {"true_divide", Binary<OpKind::kDivide>},
    {"divide_no_nan", Binary<OpKind::kDivide>},
    {"maximum", Binary<OpKind::kMaximum>},
    {"minimum", Binary<OpKind::kMinimum>},
    {"pow", Binary<OpKind::kPower>},
    {"power", Binary<OpKind::kPower>},
    {"squared_difference", SquaredDifference},
    {"exp", Unary<OpKind::kExp>},
    {"log", Unary<OpKind::kLog>},
    {"log1p", Log1p},
    {"sqrt", Unary<OpKind::kSqrt>},
    {"rsqrt", Unary<OpKind::kRsqrt>},
    {"abs", Unary<OpKind::kAbs>},
    {"absolute", Unary<OpKind::kAbs>},
    {"negative", Unary<OpKind::kNegate>},
    {"sign", Unary<OpKind::kSign>},
    {"erf", Unary<OpKind::kErf>},
    {"sin", Unary<OpKind::kSine>},
    {"cos", Unary<OpKind::kCosine>},
    {"floor", Unary<OpKind::kFloor>},
    {"tanh", Unary<OpKind::kTanh>},
    {"sigmoid", Unary<OpKind::kLogistic>},
    {"square", Square},
    {"clip", Clip},
    {"clip_by_value", Clip},
    {"cast", Cast},
    {"identity", Identity},
    {"stop_gradient", Identity},
    {"reshape", ReshapeTo},
    {"transpose", TransposeTo},
    {"permute_dimensions", TransposeTo},
    {"expand_dims", ExpandDims},
    {"squeeze", Squeeze},
    {"concat", ConcatenateInputs},
    {"concatenate", ConcatenateInputs},
    {"stack", StackInputs},
    {"matmul", MatMulOfInputs},
    {"reduce_sum", ReducedBy<Reducer::kSum>},
    {"sum", ReducedBy<Reducer::kSum>},
    {"reduce_mean", ReducedBy<Reducer::kSum, true>},
    {"mean", ReducedBy<Reducer::kSum, true>},
    {"reduce_max", ReducedBy<Reducer::kMax>},
    {"max", ReducedBy<Reducer::kMax>},
    {"amax", ReducedBy<Reducer::kMax>},
    {"reduce_min", ReducedBy<Reducer::kMin>},
    {"min", ReducedBy<Reducer::kMin>},
    {"amin", ReducedBy<Reducer::kMin>},
};

// Where TensorFlow and Keras keep the functions above: "math.reduce_mean" and
// "reduce_mean" are one function, "image.transpose" is another.
constexpr std::string_view kNamespaces[] = {
    "",          "math",           "linalg",    "__operators__",
    "compat.v1", "compat.v1.math", "keras.ops", "keras.backend",
    "nn",
};

LayerFunction FindFunction(std::string_view name) {
  const size_t dot = name.rfind('.');
  const bool plain = dot == std::string_view::npos;
  const std::string_view space = plain ? "" : name.substr(0, dot);
  if (std::ranges::find(kNamespaces, space) == std::end(kNamespaces)) {
    return nullptr;
  }
  const std::string_view last = plain ? name : name.substr(dot + 1);
  const auto* found =
      std::ranges::find(kNamedFunctions, last, &NamedFunction::name);
  return found == std::end(kNamedFunctions) ? FindTensorFunction(last)
                                            : found->build;
}

OpId BuildFunction(LayerContext& ctx) {
  const std::string name = ctx.config.Text("function", "");
  if (const LayerFunction function = FindFunction(name)) return function(ctx);
  const size_t dot = name.rfind('.');
  const std::string last =
      dot == std::string::npos ? name : name.substr(dot + 1);
  if (IsActivation(last)) return ApplyActivation(ctx, last, ctx.input());
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

constexpr LayerEntry kFunctionLayers[] = {
    {"Lambda", BuildLambda, true},
    {"TFOpLambda", BuildFunction, true},
    {"SlicingOpLambda", BuildFunction, true},
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
    {"Transpose", TransposeTo, true},
    {"ExpandDims", ExpandDims, true},
    {"Squeeze", Squeeze, true},
    {"Stack", StackInputs, true},
    {"Clip", Clip, true},
    {"Matmul", MatMulOfInputs, true},
    {"Sum", ReducedBy<Reducer::kSum>, true},
    {"Mean", ReducedBy<Reducer::kSum, true>, true},
    {"Max", ReducedBy<Reducer::kMax>, true},
    {"Min", ReducedBy<Reducer::kMin>, true},
};

}  // namespace

std::span<const LayerEntry> FunctionLayers() { return kFunctionLayers; }

}  // namespace tilewise
