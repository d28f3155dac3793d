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
  enum class Kind { kIndex, kRange, kNewDim, kEllipsis, kUnread };
  Kind kind = Kind::kUnread;
  int64_t start = 0, stop = kEnd, step = 1;
  static constexpr int64_t kEnd = int64_t{1} << 31;
};

IndexPart PartOf(const json& given) {
  IndexPart part;
  if (given.is_null()) return {IndexPart::Kind::kNewDim};
  if (const auto place = AsInteger(given)) {
    return {IndexPart::Kind::kIndex, *place};
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

// The elements of all parts in one slice; then indexed dims lose their dim, and
// new dims come in.
OpId Indexed(LayerContext& ctx, const std::vector<IndexPart>& parts) {
  const Shape shape = ctx.shape(ctx.input());
  const auto is = [](IndexPart::Kind kind) {
    return [kind](const IndexPart& part) { return part.kind == kind; };
  };
  const auto used = std::ranges::count_if(parts, is(IndexPart::Kind::kIndex)) +
                    std::ranges::count_if(parts, is(IndexPart::Kind::kRange));
  const int64_t kept = std::max<int64_t>(shape.rank() - used, 0);
  const auto takes_batch = [&](int64_t dim) {
    return dim < shape.rank() && shape.dims[dim].per_batch;
  };
  std::vector<SliceRange> ranges;
  int64_t dim = 0;
  for (const IndexPart& part : parts) {
    if (part.kind == IndexPart::Kind::kEllipsis) dim += kept;
    if (part.kind == IndexPart::Kind::kRange) {
      ranges.push_back({dim++, part.start, part.stop, part.step});
    } else if (part.kind == IndexPart::Kind::kIndex && !takes_batch(dim++)) {
      const int64_t next = part.start == -1 ? IndexPart::kEnd : part.start + 1;
      ranges.push_back({dim - 1, part.start, next});
    }
  }
  OpId y = SliceRanges(ctx.builder, ctx.input(), ranges);
  int64_t from = 0, to = 0;  // dims of the operand and of the result
  for (const IndexPart& part : parts) {
    if (!ctx.builder.ok()) return kNoOp;
    if (part.kind == IndexPart::Kind::kIndex) {
      y = ElementAlong(ctx.builder, y, takes_batch(from++) ? part.start : 0, to);
    } else if (part.kind == IndexPart::Kind::kNewDim) {
      y = Unsqueezed(ctx.builder, y, {to++});
    } else {
      const int64_t dims = part.kind == IndexPart::Kind::kEllipsis ? kept : 1;
      from += dims;
      to += dims;
    }
  }
  return y;
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
  return Indexed(ctx, parts);
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
  const Dim whole = ctx.shape(ctx.input()).dims[axis];
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
    sizes.assign(count, whole.factor / count);
  }
  const std::vector<OpId> parts = SplitAlong(ctx.builder, ctx.input(), axis, sizes);
  if (parts.empty()) return kNoOp;
  ctx.more_outputs.assign(parts.begin() + 1, parts.end());
  return parts[0];
}

OpId TileInput(LayerContext& ctx) {
  const json* given = Argument(ctx, {"multiples"});
  const std::vector<int64_t> repeats = IntegerList(given ? given : Given(ctx, "repeats"));
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

// The largest of the last dim; their indices are the second result.
OpId LargestOfInput(LayerContext& ctx) {
  const int64_t k = IntegerArgument(ctx, "k").value_or(1);
  ctx.more_outputs.push_back(ctx.builder.TopK(ctx.input(), k, 1));
  return ctx.builder.TopK(ctx.input(), k, 0);
}

// TensorFlow sorts by the largest of all elements, of their negatives where the
// smallest comes first.
OpId Sorted(LayerContext& ctx) {
  GraphBuilder& b = ctx.builder;
  const json* direction = Argument(ctx, {"direction"});
  const bool ascending = direction == nullptr || *direction != "DESCENDING";
  const Shape shape = ctx.shape(ctx.input());
  const int64_t axis = ctx.NormalizeAxis(IntegerArgument(ctx, "axis").value_or(-1), shape.rank());
  const Dim size = shape.dims[axis];
  if (size.per_batch) b.Fail("axis is that of the batch, expected another one");
  OpId x = ascending ? b.Unary(OpKind::kNegate, ctx.input()) : ctx.input();
  x = SwapDims(b, b.TopK(SwapDims(b, x, axis, -1), size.factor), axis, -1);
  return ascending ? b.Unary(OpKind::kNegate, x) : x;
}

OpId GeluOfInput(LayerContext& ctx) {
  return ctx.builder.Gelu(ctx.input(), CallFlag(ctx, "approximate"));
}

OpId OneHotOfInput(LayerContext& ctx) {
  const char* name = Argument(ctx, {"depth"}) == nullptr ? "num_classes" : "depth";
  const int64_t depth = IntegerArgument(ctx, name).value_or(0);
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
  return SwapDims(ctx.builder, ctx.input(), *one, *other);
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
    {"all|reduce_all", Reduced<Reduction::kAll>},
    {"amax|max|reduce_max", Reduced<Reduction::kMax>},
    {"amin|min|reduce_min", Reduced<Reduction::kMin>},
    {"any|reduce_any", Reduced<Reduction::kAny>},
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
    {"erfc", Made<Erfc>},
    {"erfinv", Made<Erfinv>},
    {"exp", UnaryOf<OpKind::kExp>},
    {"expand_dims", ExpandDims},
    {"expm1", UnaryOf<OpKind::kExpMinusOne>},
    {"flip", FlipInput},
    {"floor", UnaryOf<OpKind::kFloor>},
    {"gelu", GeluOfInput},
    {"get_item|getitem", GetItem},
    {"greater", Compared<Comparison::kGt>},
    {"greater_equal", Compared<Comparison::kGe>},
    {"identity|stop_gradient", Identity},
    {"is_finite|isfinite", UnaryOf<OpKind::kIsFinite>},
    {"is_inf|isinf", Made<IsInf>},
    {"is_nan|isnan", Made<IsNan>},
    {"less", Compared<Comparison::kLt>},
    {"less_equal", Compared<Comparison::kLe>},
    {"log", UnaryOf<OpKind::kLog>},
    {"log1p", UnaryOf<OpKind::kLogPlusOne>},
    {"log_softmax", AlongAxis<LogSoftmaxOf>},
    {"logical_and", Logical<OpKind::kAnd>},
    {"logical_not", LogicalNot},
    {"logical_or", Logical<OpKind::kOr>},
    {"logsumexp|reduce_logsumexp", Reduced<Reduction::kLogSumExp>},
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
    {"prod|reduce_prod", Reduced<Reduction::kProduct>},
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
    {"sort", Sorted},
    {"split", SplitInput},
    {"sqrt", UnaryOf<OpKind::kSqrt>},
    {"square", Made<Square>},
    {"squared_difference", SquaredDifference},
    {"squeeze", Squeeze},
    {"stack", StackInputs},
    {"reduce_std|std", Reduced<Reduction::kDeviation>},
    {"subtract", Joined<OpKind::kSubtract>},
    {"swapaxes", SwappedDims},
    {"take", TakeInputs},
    {"tan", UnaryOf<OpKind::kTan>},
    {"tanh", UnaryOf<OpKind::kTanh>},
    {"tile", TileInput},
    {"top_k", LargestOfInput},
    {"reduce_variance|var", Reduced<Reduction::kVariance>},
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
