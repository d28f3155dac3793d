// Arguments that cannot be read give opaque results; those that do not fit fail
// the builder.

#include <algorithm>
#include <optional>
#include <vector>

#include "frontend/keras/layers/families.h"
#include "library/broadcast.h"
#include "library/einsum.h"
#include "library/elementary.h"
#include "library/gather.h"
#include "library/matmul.h"
#include "library/normalizations.h"
#include "library/rearrange.h"
#include "library/reductions.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

using nlohmann::json;

OpId Unread(LayerContext& ctx) {
  return ctx.Opaque(ctx.shape(ctx.input()), "has an argument that cannot be read");
}

// An argument by keyword, else the first positional one that is no tensor.
const json* Given(const LayerContext& ctx, const char* name) {
  if (const json* found = Argument(ctx, {name})) return found;
  const json* rest = Argument(ctx, {"args"});
  if (rest == nullptr || !rest->is_array() || rest->empty()) return nullptr;
  return &rest->front();
}

std::optional<int64_t> IntegerArgument(const LayerContext& ctx, const char* name) {
  const json* found = Argument(ctx, {name});
  return found == nullptr ? std::nullopt : AsInteger(*found);
}

std::vector<int64_t> IntegerList(const json* value) {
  std::vector<int64_t> numbers;
  if (value == nullptr) return numbers;
  for (const json& item : value->is_array() ? *value : json::array({*value})) {
    numbers.push_back(AsInteger(item).value_or(int64_t{1} << 31));
  }
  return numbers;
}

OpId EinsumOfInputs(LayerContext& ctx) {
  const json* equation = Argument(ctx, {"subscripts", "equation"});
  if (equation == nullptr) equation = Given(ctx, "subscripts");
  if (equation == nullptr || !equation->is_string()) return Unread(ctx);
  return Einsum(ctx.builder, equation->get<std::string>(), ctx.inputs);
}

// One part of an index: x[3], x[1:5:2], x[..., None].
struct IndexPart {
  enum class Kind { kPlace, kRange, kNewDim, kEllipsis, kUnread };
  Kind kind = Kind::kUnread;
  int64_t start = 0, stop = kEnd, step = 1;
  static constexpr int64_t kEnd = int64_t{1} << 31;
};

IndexPart PartOf(const json& given) {
  IndexPart part;
  if (given.is_null()) return {IndexPart::Kind::kNewDim};
  if (const auto place = AsInteger(given)) {
    return {IndexPart::Kind::kPlace, *place};
  }
  if (given == "Ellipsis" || given == "...") {
    return {IndexPart::Kind::kEllipsis};
  }
  if (!given.is_object()) return part;
  if (given.value("class_name", "") == "__ellipsis__") {
    return {IndexPart::Kind::kEllipsis};
  }
  const json& slice = given.contains("config") ? given["config"] : given;
  const auto bound = [&](const char* name, int64_t otherwise) {
    if (!slice.is_object() || !slice.contains(name)) return otherwise;
    return AsInteger(slice[name]).value_or(otherwise);
  };
  part.kind = IndexPart::Kind::kRange;
  part.step = bound("step", 1);
  const bool back = part.step < 0;
  part.start = bound("start", back ? IndexPart::kEnd : 0);
  part.stop = bound("stop", back ? -IndexPart::kEnd : IndexPart::kEnd);
  if (part.step == 0) part.kind = IndexPart::Kind::kUnread;
  return part;
}

// x[...] with numbers alone.
OpId GetItem(LayerContext& ctx) {
  const json* given = Argument(ctx, {"slice_spec", "key"});
  if (given == nullptr) given = Given(ctx, "key");
  if (given == nullptr) return Unread(ctx);
  std::vector<IndexPart> parts;
  for (const json& item : given->is_array() ? *given : json::array({*given})) {
    parts.push_back(PartOf(item));
    if (parts.back().kind == IndexPart::Kind::kUnread) return Unread(ctx);
  }
  const auto takes_dim = [](const IndexPart& part) {
    return part.kind == IndexPart::Kind::kPlace || part.kind == IndexPart::Kind::kRange;
  };
  OpId y = ctx.input();
  const int64_t kept = ctx.rank(y) - std::count_if(parts.begin(), parts.end(), takes_dim);
  int64_t dim = 0;
  for (const IndexPart& part : parts) {
    if (!ctx.builder.ok()) return kNoOp;
    switch (part.kind) {
      case IndexPart::Kind::kPlace:
        y = ElementAlong(ctx.builder, y, part.start, dim);
        break;
      case IndexPart::Kind::kRange:
        y = StridedSlice(ctx.builder, y, dim, part.start, part.stop, part.step);
        ++dim;
        break;
      case IndexPart::Kind::kNewDim:
        y = Unsqueezed(ctx.builder, y, {dim});
        ++dim;
        break;
      default:
        dim += std::max<int64_t>(kept, 0);
    }
  }
  return y;
}

OpId TakeInputs(LayerContext& ctx) {
  if (ctx.inputs.size() != 2) return Unread(ctx);
  const int64_t axis = IntegerArgument(ctx, "axis").value_or(0);
  return TakeAlong(ctx.builder, ctx.inputs[0], ctx.builder.Convert(ctx.inputs[1], DType::kS32),
                   axis);
}

OpId SplitInput(LayerContext& ctx) {
  const json* given = Argument(ctx, {"indices_or_sections", "num_or_size_splits"});
  const int64_t axis =
      ctx.NormalizeAxis(IntegerArgument(ctx, "axis").value_or(0), ctx.rank(ctx.input()));
  const Dim whole = ctx.shape(ctx.input()).dims[static_cast<size_t>(axis)];
  if (given == nullptr) given = Given(ctx, "indices_or_sections");
  if (given == nullptr || whole.per_batch || !ctx.builder.ok()) {
    return Unread(ctx);
  }
  std::vector<int64_t> sizes;
  if (given->is_array()) {
    int64_t from = 0;
    for (const int64_t at : IntegerList(given)) {
      sizes.push_back(at - from);
      from = at;
    }
    sizes.push_back(whole.factor - from);
  } else {
    const int64_t count = AsInteger(*given).value_or(0);
    if (count < 1 || whole.factor % count != 0) return Unread(ctx);
    sizes.assign(static_cast<size_t>(count), whole.factor / count);
  }
  const std::vector<OpId> parts = SplitAlong(ctx.builder, ctx.input(), axis, sizes);
  if (parts.empty()) return kNoOp;
  ctx.more_outputs.assign(parts.begin() + 1, parts.end());
  return parts[0];
}

OpId TileInput(LayerContext& ctx) {
  const std::vector<int64_t> repeats = IntegerList(Given(ctx, "repeats"));
  if (static_cast<int64_t>(repeats.size()) != ctx.rank(ctx.input())) {
    return Unread(ctx);
  }
  return Tile(ctx.builder, ctx.input(), repeats);
}

OpId FlipInput(LayerContext& ctx) {
  const json* axis = Argument(ctx, {"axis"});
  if (axis == nullptr) return Unread(ctx);
  return ctx.builder.Reverse(ctx.input(),
                             DimsOf(ctx.builder, IntegerList(axis), ctx.rank(ctx.input())));
}

OpId WhereOfInputs(LayerContext& ctx) {
  if (ctx.inputs.size() == 3) {
    return SelectOf(ctx.builder, ctx.inputs[0], ctx.inputs[1], ctx.inputs[2]);
  }
  if (ctx.inputs.size() != 2) return Unread(ctx);
  return SelectOf(ctx.builder, ctx.inputs[0], ctx.inputs[1],
                  FilledLike(ctx.builder, ctx.inputs[1], 0));
}

template <Comparison kComparison>
OpId Compared(LayerContext& ctx) {
  if (ctx.inputs.size() == 2) {
    return CompareOf(ctx.builder, kComparison, ctx.inputs[0], ctx.inputs[1]);
  }
  const json* number = Given(ctx, "x2");
  const double value = number != nullptr && number->is_number() ? number->get<double>() : 0;
  return CompareScalar(ctx.builder, kComparison, ctx.input(), value);
}

template <OpKind kKind>
OpId Logical(LayerContext& ctx) {
  if (ctx.inputs.size() != 2) return Unread(ctx);
  const OpId x = AsPred(ctx.builder, ctx.inputs[0]);
  return BinaryOf(ctx.builder, kKind, x, AsPred(ctx.builder, ctx.inputs[1]));
}

OpId LogicalNot(LayerContext& ctx) {
  return ctx.builder.Unary(OpKind::kNot, AsPred(ctx.builder, ctx.input()));
}

template <OpKind kKind>
OpId UnaryOf(LayerContext& ctx) {
  return ctx.builder.Unary(kKind, ctx.input());
}

template <OpId (*kMake)(GraphBuilder&, OpId)>
OpId Made(LayerContext& ctx) {
  return kMake(ctx.builder, ctx.input());
}

template <OpKind kKind>
OpId Joined(LayerContext& ctx) {
  if (ctx.inputs.size() < 2 && !NumberArgument(ctx)) {
    return ctx.Opaque(ctx.shape(ctx.input()), "has an operand that cannot be read");
  }
  return CombineInputs(ctx, kKind);
}

OpId Identity(LayerContext& ctx) { return ctx.input(); }

OpId SquaredDifference(LayerContext& ctx) {
  return Square(ctx.builder, Joined<OpKind::kSubtract>(ctx));
}

// Bounds that are tensors cost what numbers cost.
OpId Clip(LayerContext& ctx) {
  const json* low = Argument(ctx, {"clip_value_min", "min_value", "x_min", "y"});
  const json* high = Argument(ctx, {"clip_value_max", "max_value", "x_max", "z"});
  const auto number = [](const json* value, double otherwise) {
    return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
  };
  return Clamp(ctx.builder, ctx.input(), number(low, 0), number(high, 1));
}

OpId CastInput(LayerContext& ctx) {
  const json* dtype = Argument(ctx, {"dtype"});
  const auto type =
      dtype != nullptr && dtype->is_string() ? ParseDType(dtype->get<std::string>()) : std::nullopt;
  return type ? ctx.builder.Convert(ctx.input(), *type) : ctx.input();
}

OpId MatMulOfInputs(LayerContext& ctx) {
  if (ctx.inputs.size() != 2) return Unread(ctx);
  return NumpyMatMul(
      ctx.builder, ctx.inputs[0], ctx.inputs[1],
      {.transpose_x = CallFlag(ctx, "transpose_a"), .transpose_y = CallFlag(ctx, "transpose_b")});
}

template <Reduction kReduction>
OpId Reduced(LayerContext& ctx) {
  const json* axis = Argument(ctx, {"axis", "y"});
  const std::vector<int64_t> dims =
      axis == nullptr ? AllDims(ctx.builder, ctx.input()) : IntegerList(axis);
  return ReduceOf(ctx.builder, kReduction, ctx.input(), dims,
                  CallFlag(ctx, "keepdims") || CallFlag(ctx, "keep_dims"));
}

template <Reducer kReducer>
OpId IndexOf(LayerContext& ctx) {
  const int64_t axis = IntegerArgument(ctx, "axis").value_or(-1);
  return ArgReduceOf(ctx.builder, kReducer, ctx.input(), axis, CallFlag(ctx, "keepdims"));
}

OpId Cumulated(LayerContext& ctx) {
  return CumulativeOf(ctx.builder, Reducer::kSum, ctx.input(),
                      IntegerArgument(ctx, "axis").value_or(-1));
}

OpId OneHotOfInput(LayerContext& ctx) {
  const int64_t depth = IntegerArgument(ctx, "num_classes").value_or(0);
  if (depth < 1) return Unread(ctx);
  GraphBuilder& b = ctx.builder;
  const OpId on = b.Scalar(1, DType::kF32), off = b.Scalar(0, DType::kF32);
  return OneHot(b, b.Convert(ctx.input(), DType::kS32), depth,
                IntegerArgument(ctx, "axis").value_or(-1), on, off);
}

OpId SwappedDims(LayerContext& ctx) {
  const auto one = IntegerArgument(ctx, "axis1");
  const auto other = IntegerArgument(ctx, "axis2");
  if (!one || !other) return Unread(ctx);
  const int64_t rank = ctx.rank(ctx.input());
  const std::vector<int64_t> dims = DimsOf(ctx.builder, {*one, *other}, rank);
  if (!ctx.builder.ok()) return kNoOp;
  std::vector<int64_t> order;
  for (int64_t d = 0; d < rank; ++d) order.push_back(d);
  std::swap(order[static_cast<size_t>(dims[0])], order[static_cast<size_t>(dims[1])]);
  return ctx.builder.Transpose(ctx.input(), std::move(order));
}

template <int kValue>
OpId Filled(LayerContext& ctx) {
  return FilledLike(ctx.builder, ctx.input(), kValue);
}

template <OpId (*kMake)(GraphBuilder&, OpId, int64_t)>
OpId AlongAxis(LayerContext& ctx) {
  const int64_t axis =
      DimOf(ctx.builder, IntegerArgument(ctx, "axis").value_or(-1), ctx.rank(ctx.input()));
  return kMake(ctx.builder, ctx.input(), axis);
}

struct Entry {
  std::string_view names;
  LayerFunction build;
};
constexpr Entry kFunctions[] = {
    {"abs|absolute", UnaryOf<OpKind::kAbs>},
    {"acos|arccos", Made<Acos>},
    {"acosh|arccosh", Made<Acosh>},
    {"add", Joined<OpKind::kAdd>},
    {"all", Reduced<Reduction::kAll>},
    {"amax|max|reduce_max", Reduced<Reduction::kMax>},
    {"amin|min|reduce_min", Reduced<Reduction::kMin>},
    {"any", Reduced<Reduction::kAny>},
    {"arcsin|asin", Made<Asin>},
    {"arcsinh|asinh", Made<Asinh>},
    {"arctan|atan", Made<Atan>},
    {"arctanh|atanh", Made<Atanh>},
    {"argmax", IndexOf<Reducer::kMax>},
    {"argmin", IndexOf<Reducer::kMin>},
    {"cast", CastInput},
    {"ceil", UnaryOf<OpKind::kCeil>},
    {"clip|clip_by_value", Clip},
    {"concat|concatenate", ConcatenateInputs},
    {"cos", UnaryOf<OpKind::kCosine>},
    {"cosh", Made<Cosh>},
    {"cumsum", Cumulated},
    {"divide|divide_no_nan|true_divide|truediv", Joined<OpKind::kDivide>},
    {"einsum", EinsumOfInputs},
    {"equal", Compared<Comparison::kEq>},
    {"erf", UnaryOf<OpKind::kErf>},
    {"exp", UnaryOf<OpKind::kExp>},
    {"expand_dims", ExpandDims},
    {"expm1", UnaryOf<OpKind::kExpMinusOne>},
    {"flip", FlipInput},
    {"floor", UnaryOf<OpKind::kFloor>},
    {"get_item|getitem", GetItem},
    {"greater", Compared<Comparison::kGt>},
    {"greater_equal", Compared<Comparison::kGe>},
    {"identity|stop_gradient", Identity},
    {"isfinite", UnaryOf<OpKind::kIsFinite>},
    {"isinf", Made<IsInf>},
    {"isnan", Made<IsNan>},
    {"less", Compared<Comparison::kLt>},
    {"less_equal", Compared<Comparison::kLe>},
    {"log", UnaryOf<OpKind::kLog>},
    {"log1p", UnaryOf<OpKind::kLogPlusOne>},
    {"log_softmax", AlongAxis<LogSoftmaxOf>},
    {"logical_and", Logical<OpKind::kAnd>},
    {"logical_not", LogicalNot},
    {"logical_or", Logical<OpKind::kOr>},
    {"logsumexp", Reduced<Reduction::kLogSumExp>},
    {"matmul", MatMulOfInputs},
    {"maximum", Joined<OpKind::kMaximum>},
    {"mean|reduce_mean", Reduced<Reduction::kMean>},
    {"minimum", Joined<OpKind::kMinimum>},
    {"multiply", Joined<OpKind::kMultiply>},
    {"negative", UnaryOf<OpKind::kNegate>},
    {"norm", Reduced<Reduction::kL2>},
    {"not_equal", Compared<Comparison::kNe>},
    {"one_hot", OneHotOfInput},
    {"ones_like", Filled<1>},
    {"permute_dimensions|transpose", TransposeTo},
    {"pow|power", Joined<OpKind::kPower>},
    {"prod", Reduced<Reduction::kProduct>},
    {"reciprocal", Made<Reciprocal>},
    {"reduce_sum|sum", Reduced<Reduction::kSum>},
    {"reshape", ReshapeTo},
    {"round", UnaryOf<OpKind::kRoundNearestEven>},
    {"rsqrt", UnaryOf<OpKind::kRsqrt>},
    {"sigmoid", UnaryOf<OpKind::kLogistic>},
    {"sign", UnaryOf<OpKind::kSign>},
    {"sin", UnaryOf<OpKind::kSine>},
    {"sinh", Made<Sinh>},
    {"softmax", AlongAxis<SoftmaxOf>},
    {"split", SplitInput},
    {"sqrt", UnaryOf<OpKind::kSqrt>},
    {"square", Made<Square>},
    {"squared_difference", SquaredDifference},
    {"squeeze", Squeeze},
    {"stack", StackInputs},
    {"std", Reduced<Reduction::kDeviation>},
    {"subtract", Joined<OpKind::kSubtract>},
    {"swapaxes", SwappedDims},
    {"take", TakeInputs},
    {"tan", UnaryOf<OpKind::kTan>},
    {"tanh", UnaryOf<OpKind::kTanh>},
    {"tile", TileInput},
    {"var", Reduced<Reduction::kVariance>},
    {"where", WhereOfInputs},
    {"zeros_like", Filled<0>},
};

}  // namespace

LayerFunction FindTensorFunction(std::string_view name) {
  const auto* found = std::ranges::find_if(
      kFunctions, [name](const Entry& entry) { return IsOneOfWords(name, entry.names); });
  return found == std::end(kFunctions) ? nullptr : found->build;
}

}  // namespace tilewise
