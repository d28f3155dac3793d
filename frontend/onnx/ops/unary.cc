// Ops of one operand, element by element, and casts.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "library/broadcast.h"
#include "library/elementary.h"

namespace tilewise::onnx {
namespace {

void Identity(NodeContext& ctx) { PassOn(ctx, 0, 0); }

void CastTo(NodeContext& ctx, DType dtype) {
  if (const KnownValue* x = ctx.Folded(0)) {
    if (ctx.SetIfKnown(0, KnownCast(*x, dtype))) return;
  }
  const Value* value = ctx.InputValue(0);
  if (value != nullptr && value->kind == Value::Kind::kTensor && value->shape.dtype == dtype) {
    return PassOn(ctx, 0, 0);
  }
  const OpId x = ctx.Input(0);
  const bool to_pred = dtype == DType::kPred && ctx.builder().shape(x).dtype != DType::kPred;
  ctx.Set(0, to_pred ? AsPred(ctx.builder(), x) : ctx.builder().Convert(x, dtype));
}

void Cast(NodeContext& ctx) {
  // The first version has names of types.
  const AttributeView* to = ctx.Find("to");
  if (to == nullptr) return ctx.Fail("found no type to cast to");
  if (to->i == onnx_format::TensorProto::STRING || to->s == "STRING") {
    return ctx.SetValue(0, Value::Host());
  }
  onnx_format::TensorProto::DataType named{};
  const bool by_name =
      !to->s.empty() && onnx_format::TensorProto::DataType_Parse(std::string(to->s), &named);
  const std::optional<DType> dtype = ElementOf(by_name ? named : static_cast<int32_t>(to->i));
  if (!dtype) {
    return ctx.Fail(fmt::format("found type {} to cast to", to->i));
  }
  CastTo(ctx, *dtype);
}

void CastLike(NodeContext& ctx) { CastTo(ctx, ctx.ShapeOf(1).dtype); }

void Sign(NodeContext& ctx) { FoldedUnary<OpKind::kSign, KnownUnaryOp::kSign>(ctx); }

void Not(NodeContext& ctx) {
  if (const KnownValue* x = ctx.Folded(0)) {
    if (ctx.SetIfKnown(0, KnownUnary(KnownUnaryOp::kNot, *x))) return;
  }
  ctx.Set(0, ctx.builder().Unary(OpKind::kNot, AsPred(ctx.builder(), ctx.Input(0))));
}

void ReciprocalOf(NodeContext& ctx) {
  if (const KnownValue* x = ctx.Folded(0)) {
    if (ctx.SetIfKnown(0, KnownUnary(KnownUnaryOp::kReciprocal, *x))) return;
  }
  ctx.Set(0, Reciprocal(ctx.builder(), ctx.Input(0)));
}

constexpr OpEntry kUnaryOps[] = {
    {kStandard, "Identity", Identity},
    {kStandard, "Copy", Identity},
    {kStandard, "Cast", Cast},
    {kStandard, "CastLike", CastLike},
    {kStandard, "Abs", FoldedUnary<OpKind::kAbs, KnownUnaryOp::kAbs>},
    {kStandard, "Neg", FoldedUnary<OpKind::kNegate, KnownUnaryOp::kNegate>},
    {kStandard, "Ceil", FoldedUnary<OpKind::kCeil, KnownUnaryOp::kCeil>},
    {kStandard, "Floor", FoldedUnary<OpKind::kFloor, KnownUnaryOp::kFloor>},
    {kStandard, "Round", FoldedUnary<OpKind::kRoundNearestEven, KnownUnaryOp::kRound>},
    {kStandard, "Sqrt", FoldedUnary<OpKind::kSqrt, KnownUnaryOp::kSqrt>},
    {kStandard, "Exp", FoldedUnary<OpKind::kExp, KnownUnaryOp::kExp>},
    {kStandard, "Log", FoldedUnary<OpKind::kLog, KnownUnaryOp::kLog>},
    {kStandard, "Sign", Sign},
    {kStandard, "Not", Not},
    {kStandard, "BitwiseNot", PlainUnary<OpKind::kNot>},
    {kStandard, "Reciprocal", ReciprocalOf},
    {kStandard, "Erf", PlainUnary<OpKind::kErf>},
    {kStandard, "Sin", PlainUnary<OpKind::kSine>},
    {kStandard, "Cos", PlainUnary<OpKind::kCosine>},
    {kStandard, "Tan", PlainUnary<OpKind::kTan>},
    {kStandard, "Tanh", PlainUnary<OpKind::kTanh>},
    {kStandard, "Sigmoid", PlainUnary<OpKind::kLogistic>},
    {kStandard, "Sinh", MadeUnary<Sinh>},
    {kStandard, "Cosh", MadeUnary<Cosh>},
    {kStandard, "Asin", MadeUnary<Asin>},
    {kStandard, "Acos", MadeUnary<Acos>},
    {kStandard, "Atan", MadeUnary<Atan>},
    {kStandard, "Asinh", MadeUnary<Asinh>},
    {kStandard, "Acosh", MadeUnary<Acosh>},
    {kStandard, "Atanh", MadeUnary<Atanh>},
    {kStandard, "IsNaN", MadeUnary<IsNan>},
    {kStandard, "IsInf", MadeUnary<IsInf>},
};

}  // namespace

void PassOn(NodeContext& ctx, size_t i, size_t j) {
  if (!ctx.Has(j)) return ctx.Fail(fmt::format("found no operand {}", j));
  ctx.SetValue(i, *ctx.InputValue(j));
}

int64_t AxisOf(NodeContext& ctx, std::string_view name, int64_t fallback, int64_t rank) {
  return DimOf(ctx.builder(), ctx.Int(name, fallback), rank);
}

bool InWindowRange(NodeContext& ctx, const std::vector<int64_t>& values) {
  constexpr int64_t kLimit = int64_t{1} << 30;
  for (const int64_t value : values) {
    if (value >= -kLimit && value <= kLimit) continue;
    ctx.Fail(
        fmt::format("found {} as part of a window, expected less than "
                    "2^30",
                    value));
    return false;
  }
  return true;
}

std::span<const OpEntry> UnaryOps() { return kUnaryOps; }

}  // namespace tilewise::onnx
