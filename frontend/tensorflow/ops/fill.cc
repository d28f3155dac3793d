// Tensors made from a few numbers: constants, ranges, one-hot codes.

#include <cmath>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/gather.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

absl::Status SetConstant(OpContext& ctx, double value, const Shape& shape) {
  if (IsEmpty(shape.dims)) {
    ctx.SetValue(0, Value::Empty(shape));
    return absl::OkStatus();
  }
  return ctx.Result(ctx.builder().Constant(value, shape));
}

template <int kValue>
absl::Status FilledAs(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  return SetConstant(ctx, kValue, shape);
}

absl::Status Fill(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 0, "dims"));
  const KnownValue* value = ctx.Folded(1);
  if (value != nullptr && value->size() == 1) {
    const KnownNumber number = value->elements[0];
    const Shape shape(value->dtype, dims);
    if (!number.per_batch) return SetConstant(ctx, number.value, shape);
    if (shape.is_static() && ctx.SetIfKnown(0, KnownFill(number, shape.sizes(), value->dtype))) {
      return absl::OkStatus();
    }
  }
  if (IsEmpty(dims)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const OpId scalar, Tensor(ctx, 1));
  return ctx.Result(dims.empty() ? scalar : ctx.builder().BroadcastTo(scalar, dims));
}

// tf.raw_ops.Empty: what it holds does not matter.
absl::Status Empty(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 0, "shape"));
  return SetConstant(ctx, 0, {TypeOr(ctx, "dtype", DType::kF32), dims});
}

// What a core that has no input of its own is given, and the result of a branch
// that is not taken.
absl::Status DummyInput(OpContext& ctx) {
  const DType type = TypeOr(ctx, "dtype", DType::kF32);
  const auto shape = ctx.ShapeAttr("shape");
  auto dims = shape ? OpContext::ToDims(*shape) : std::nullopt;
  if (const auto recorded = ctx.RecordedShape(0, type); !dims && recorded) {
    dims = recorded->dims;
  }
  if (!dims) return InvalidInput("the shape is not in the file");
  return SetConstant(ctx, 0, {type, *dims});
}

// A range up to the batch is not known, but its length is.
absl::Status Range(OpContext& ctx) {
  const KnownValue* start = ctx.Folded(0);
  const KnownValue* limit = ctx.Folded(1);
  const KnownValue* step = ctx.Folded(2);
  if (start == nullptr || limit == nullptr || step == nullptr) {
    return InvalidInput("the length of a range is not known without running the model");
  }
  if (ctx.SetIfKnown(0, KnownRange(*start, *limit, *step))) {
    return absl::OkStatus();
  }
  if (start->size() != 1 || limit->size() != 1 || step->size() != 1) {
    return InvalidInput("start, limit and step are no scalars");
  }
  const KnownNumber from = start->elements[0], to = limit->elements[0], by = step->elements[0];
  if (by.per_batch || by.value == 0 || (from.per_batch != to.per_batch && from.value != 0)) {
    return InvalidInput("the length of a range depends on the batch");
  }
  const double count = std::ceil((to.value - from.value) / by.value);
  if (!(count >= 1 && count < 1e15)) return absl::OkStatus();
  const Dim length = {static_cast<int64_t>(count), from.per_batch || to.per_batch};
  const OpId iota = ctx.builder().Iota({start->dtype, {length}}, 0);
  const Term places(ctx.builder(), iota);
  Term values = by.value == 1 ? places : places * by.value;
  if (from.value != 0 && !from.per_batch) values = values + from.value;
  return ctx.Result(values.id);
}

absl::Status LinSpace(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const int64_t count, KnownSingle(ctx, 2, "num"));
  if (count < 1) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const OpId start, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId stop, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Term from(b, start), to(b, stop);
  const Term places(b, b.Iota({b.shape(start).dtype, {{count, false}}}, 0));
  const double last = count > 1 ? static_cast<double>(count - 1) : 1;
  return ctx.Result((from + (to - from) * (places / last)).id);
}

absl::Status OneHotOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t depth, KnownSingle(ctx, 1, "depth"));
  TW_ASSIGN_OR_RETURN(const OpId on, Tensor(ctx, 2));
  TW_ASSIGN_OR_RETURN(const OpId off, Tensor(ctx, 3));
  if (depth < 1) return absl::OkStatus();
  return ctx.Result(OneHot(ctx.builder(), indices, depth, ctx.Int("axis", -1), on, off));
}

constexpr OpEntry kFillOps[] = {
    {"Empty", Empty},       {"FakeParam", DummyInput},     {"Fill", Fill},
    {"LinSpace", LinSpace}, {"OneHot", OneHotOp},          {"OnesLike", FilledAs<1>},
    {"Range", Range},       {"TPUDummyInput", DummyInput}, {"ZerosLike", FilledAs<0>},
};

}  // namespace

std::span<const OpEntry> FillOps() { return kFillOps; }

}  // namespace tilewise::tf
