// Ops of one operand, element by element, and casts.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "library/broadcast.h"
#include "library/elementary.h"

namespace tilewise::onnx {
namespace {

void CastTo(NodeContext& ctx, DType dtype) {
  if (ctx.IsTensor(0) && ctx.ShapeOf(0).dtype == dtype) return ctx.Forward(0, 0);
  const OpId x = ctx.AnyInput(0);
  ctx.Set(0, dtype == DType::kPred ? AsPred(ctx.builder(), x) : ctx.builder().Convert(x, dtype));
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

constexpr OpEntry kUnaryOps[] = {
    {kStandard, "Identity", FirstOperand},
    {kStandard, "Copy", FirstOperand},
    {kStandard, "Cast", Cast},
    {kStandard, "CastLike", CastLike},
    {kStandard, "Abs", UnaryOp<OpKind::kAbs>},
    {kStandard, "Neg", UnaryOp<OpKind::kNegate>},
    {kStandard, "Ceil", UnaryOp<OpKind::kCeil>},
    {kStandard, "Floor", UnaryOp<OpKind::kFloor>},
    {kStandard, "Round", UnaryOp<OpKind::kRoundNearestEven>},
    {kStandard, "Sqrt", UnaryOp<OpKind::kSqrt>},
    {kStandard, "Exp", UnaryOp<OpKind::kExp>},
    {kStandard, "Log", UnaryOp<OpKind::kLog>},
    {kStandard, "Sign", UnaryOp<OpKind::kSign>},
    {kStandard, "Not", LogicalNot},
    {kStandard, "BitwiseNot", UnaryOp<OpKind::kNot>},
    {kStandard, "Reciprocal", OfOne<Reciprocal>},
    {kStandard, "Erf", UnaryOp<OpKind::kErf>},
    {kStandard, "Sin", UnaryOp<OpKind::kSine>},
    {kStandard, "Cos", UnaryOp<OpKind::kCosine>},
    {kStandard, "Tan", UnaryOp<OpKind::kTan>},
    {kStandard, "Tanh", UnaryOp<OpKind::kTanh>},
    {kStandard, "Sigmoid", UnaryOp<OpKind::kLogistic>},
    {kStandard, "Sinh", OfOne<Sinh>},
    {kStandard, "Cosh", OfOne<Cosh>},
    {kStandard, "Asin", OfOne<Asin>},
    {kStandard, "Acos", OfOne<Acos>},
    {kStandard, "Atan", OfOne<Atan>},
    {kStandard, "Asinh", OfOne<Asinh>},
    {kStandard, "Acosh", OfOne<Acosh>},
    {kStandard, "Atanh", OfOne<Atanh>},
    {kStandard, "IsNaN", OfOne<IsNan>},
    {kStandard, "IsInf", OfOne<IsInf>},
};

}  // namespace

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
