// Arguments that cannot be read give opaque results; those that do not fit fail
// the builder.

#include "frontend/keras/layers/tensor_function.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "frontend/keras/layers/array_function.h"
#include "library/broadcast.h"
#include "library/einsum.h"
#include "library/gather.h"
#include "library/normalizations.h"
#include "library/rearrange.h"
#include "library/reductions.h"

namespace tilewise {
namespace {

using nlohmann::json;

OpId Unread(LayerContext& ctx) {
  return ctx.Opaque(ctx.shape(ctx.input()),
                    "has an argument that cannot be read");
}

// An argument by keyword, else the first positional one that is no tensor.
const json* Given(const LayerContext& ctx, const char* name) {
  if (const json* found = Argument(ctx, {name})) return found;
  const json* rest = Argument(ctx, {"args"});
  if (rest == nullptr || !rest->is_array() || rest->empty()) return nullptr;
  return &rest->front();
}

std::optional<int64_t> IntegerArgument(const LayerContext& ctx,
                                       const char* name) {
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
    return part.kind == IndexPart::Kind::kPlace ||
           part.kind == IndexPart::Kind::kRange;
  };
  OpId y = ctx.input();
  const int64_t kept =
      ctx.rank(y) - std::count_if(parts.begin(), parts.end(), takes_dim);
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
  return TakeAlong(ctx.builder, ctx.inputs[0],
                   ctx.builder.Convert(ctx.inputs[1], DType::kS32), axis);
}

OpId SplitInput(LayerContext& ctx) {
  const json* given =
      Argument(ctx, {"indices_or_sections", "num_or_size_splits"});
  const int64_t axis = ctx.NormalizeAxis(
      IntegerArgument(ctx, "axis").value_or(0), ctx.rank(ctx.input()));
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
  const std::vector<OpId> parts =
      SplitAlong(ctx.builder, ctx.input(), axis, sizes);
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
  return ctx.builder.Reverse(ctx.input(), DimsOf(ctx.builder, IntegerList(axis),
                                                 ctx.rank(ctx.input())));
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
  const double value =
      number != nullptr && number->is_number() ? number->get<double>() : 0;
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

template <Reduction kReduction>
OpId Reduced(LayerContext& ctx) {
  const json* axis = Argument(ctx, {"axis"});
  const std::vector<int64_t> dims =
      axis == nullptr ? AllDims(ctx.builder, ctx.input()) : IntegerList(axis);
  const json* keep = Argument(ctx, {"keepdims"});
  return ReduceOf(ctx.builder, kReduction, ctx.input(), dims,
                  keep != nullptr && *keep == true);
}

template <Reducer kReducer>
OpId PlaceOf(LayerContext& ctx) {
  const int64_t axis = IntegerArgument(ctx, "axis").value_or(-1);
  const json* keep = Argument(ctx, {"keepdims"});
  return ArgReduceOf(ctx.builder, kReducer, ctx.input(), axis,
                     keep != nullptr && *keep == true);
}

OpId Cumulated(LayerContext& ctx) {
  const int64_t axis =
      DimOf(ctx.builder, IntegerArgument(ctx, "axis").value_or(-1),
            ctx.rank(ctx.input()));
  return ctx.builder.Cumulative(Reducer::kSum, ctx.input(), axis);
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
  std::swap(order[static_cast<size_t>(dims[0])],
            order[static_cast<size_t>(dims[1])]);
  return ctx.builder.Transpose(ctx.input(), std::move(order));
}

template <int kValue>
OpId Filled(LayerContext& ctx) {
  return FilledLike(ctx.builder, ctx.input(), kValue);
}

template <OpId (*kMake)(GraphBuilder&, OpId, int64_t)>
OpId AlongAxis(LayerContext& ctx) {
  const int64_t axis =
      DimOf(ctx.builder, IntegerArgument(ctx, "axis").value_or(-1),
            ctx.rank(ctx.input()));
  return kMake(ctx.builder, ctx.input(), axis);
}

struct Entry {
  std::string_view name;
  LayerFunction build;
};
constexpr Entry kFunctions[] = {
    {"all", Reduced<Reduction::kAll>},
    {"any", Reduced<Reduction::kAny>},
    {"argmax", PlaceOf<Reducer::kMax>},
    {"argmin", PlaceOf<Reducer::kMin>},
    {"ceil", UnaryOf<OpKind::kCeil>},
    {"cumsum", Cumulated},
    {"einsum", EinsumOfInputs},
    {"equal", Compared<Comparison::kEq>},
    {"expm1", UnaryOf<OpKind::kExpMinusOne>},
    {"flip", FlipInput},
    {"get_item", GetItem},
    {"getitem", GetItem},
    {"greater", Compared<Comparison::kGt>},
    {"greater_equal", Compared<Comparison::kGe>},
    {"isfinite", UnaryOf<OpKind::kIsFinite>},
    {"less", Compared<Comparison::kLt>},
    {"less_equal", Compared<Comparison::kLe>},
    {"log_softmax", AlongAxis<LogSoftmaxOf>},
    {"logical_and", Logical<OpKind::kAnd>},
    {"logical_not", LogicalNot},
    {"logical_or", Logical<OpKind::kOr>},
    {"logsumexp", Reduced<Reduction::kLogSumExp>},
    {"norm", Reduced<Reduction::kL2>},
    {"not_equal", Compared<Comparison::kNe>},
    {"one_hot", OneHotOfInput},
    {"ones_like", Filled<1>},
    {"prod", Reduced<Reduction::kProduct>},
    {"round", UnaryOf<OpKind::kRoundNearestEven>},
    {"softmax", AlongAxis<SoftmaxOf>},
    {"split", SplitInput},
    {"std", Reduced<Reduction::kDeviation>},
    {"swapaxes", SwappedDims},
    {"take", TakeInputs},
    {"tile", TileInput},
    {"var", Reduced<Reduction::kVariance>},
    {"where", WhereOfInputs},
    {"zeros_like", Filled<0>},
};

}  // namespace

LayerFunction FindTensorFunction(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Entry::name);
  return found == std::end(kFunctions) ? nullptr : found->build;
}

}  // namespace tilewise
