// Ops of two or more operands, element by element.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/elementary.h"

namespace tilewise::onnx {
namespace {

// The second operand's dims start, before version 7, at `axis` of the first.
OpId SecondOperand(NodeContext& ctx, OpId x) {
  OpId y = ctx.AnyInput(1);
  const int64_t axis = ctx.Int("axis", -1);
  if (ctx.opset() >= 7 || ctx.Int("broadcast", 0) == 0 || axis < 0) return y;
  const int64_t behind = ctx.builder().shape(x).rank() - axis - ctx.builder().shape(y).rank();
  std::vector<Dim> dims = ctx.builder().shape(y).dims;
  for (int64_t i = 0; i < behind; ++i) dims.push_back({1, false});
  return behind > 0 ? ctx.builder().Reshape(y, std::move(dims)) : y;
}

template <OpKind kKind>
void Binary(NodeContext& ctx) {
  const OpId x = ctx.AnyInput(0);
  ctx.Set(0, BinaryOf(ctx.builder(), kKind, x, SecondOperand(ctx, x)));
}

template <Comparison kComparison>
void Compare(NodeContext& ctx) {
  const OpId x = ctx.AnyInput(0);
  ctx.Set(0, CompareOf(ctx.builder(), kComparison, x, SecondOperand(ctx, x)));
}

void Pow(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const KnownValue* y = ctx.Folded(1);
  const std::optional<double> power = y == nullptr ? std::nullopt : KnownReal(*y);
  const bool floats = IsFloat(b.shape(x).dtype);
  if (power == 1.0) return ctx.Forward(0, 0);
  if (power == 2.0) return ctx.Set(0, Square(b, x));
  if (power == 3.0) {
    return ctx.Set(0, b.Binary(OpKind::kMultiply, Square(b, x), x));
  }
  if (power == 0.5 && floats) return ctx.Set(0, b.Unary(OpKind::kSqrt, x));
  if (power == -0.5 && floats) return ctx.Set(0, b.Unary(OpKind::kRsqrt, x));
  if (power == -1.0 && floats) return ctx.Set(0, Reciprocal(b, x));
  const OpId exponent = b.Convert(SecondOperand(ctx, x), b.shape(x).dtype);
  ctx.Set(0, BinaryOf(b, OpKind::kPower, x, exponent));
}

void Mod(NodeContext& ctx) {
  const bool of_dividend = ctx.Int("fmod", 0) != 0;
  GraphBuilder& b = ctx.builder();
  const OpId both[] = {ctx.Input(0), ctx.Input(1)};
  const std::vector<OpId> same = Stretched(b, both);
  ctx.Set(0, of_dividend ? b.Binary(OpKind::kRemainder, same[0], same[1])
                         : FloorModulo(b, same[0], same[1]));
}

template <OpKind kKind>
void Logical(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = AsPred(b, ctx.Input(0));
  ctx.Set(0, BinaryOf(b, kKind, x, AsPred(b, SecondOperand(ctx, x))));
}

void BitShift(NodeContext& ctx) {
  const bool left = ctx.Text("direction", "LEFT") == "LEFT";
  ctx.Set(0, BinaryOf(ctx.builder(), left ? OpKind::kShiftLeft : OpKind::kShiftRightLogical,
                      ctx.Input(0), ctx.Input(1)));
}

void Mean(NodeContext& ctx) {
  VariadicOp<OpKind::kAdd, void>(ctx);
  const OpId sum = ctx.OpOf(ctx.results()[0]);
  ctx.Set(0, WithScalar(ctx.builder(), OpKind::kMultiply, sum,
                        1.0 / static_cast<double>(ctx.input_count())));
}

// A bound: an attribute before version 11, then an operand.
OpId Bounded(NodeContext& ctx, OpId x, OpKind kind, std::string_view name, size_t i) {
  GraphBuilder& b = ctx.builder();
  if (const AttributeView* bound = ctx.Find(name)) {
    return WithScalar(b, kind, x, bound->f);
  }
  if (!ctx.Has(i)) return x;
  if (const std::optional<double> bound = ctx.KnownNumber(i)) {
    return WithScalar(b, kind, x, *bound);
  }
  return BinaryOf(b, kind, x, b.Convert(ctx.Input(i), b.shape(x).dtype));
}

void Clip(NodeContext& ctx) {
  OpId x = ctx.Input(0);
  x = Bounded(ctx, x, OpKind::kMaximum, "min", 1);
  x = Bounded(ctx, x, OpKind::kMinimum, "max", 2);
  ctx.Set(0, x);
}

constexpr OpEntry kBinaryOps[] = {
    {kStandard, "Add", Binary<OpKind::kAdd>},
    {kStandard, "Sub", Binary<OpKind::kSubtract>},
    {kStandard, "Mul", Binary<OpKind::kMultiply>},
    {kStandard, "Div", Binary<OpKind::kDivide>},
    {kStandard, "Pow", Pow},
    {kStandard, "Mod", Mod},
    {kStandard, "Equal", Compare<Comparison::kEq>},
    {kStandard, "Less", Compare<Comparison::kLt>},
    {kStandard, "LessOrEqual", Compare<Comparison::kLe>},
    {kStandard, "Greater", Compare<Comparison::kGt>},
    {kStandard, "GreaterOrEqual", Compare<Comparison::kGe>},
    {kStandard, "And", Logical<OpKind::kAnd>},
    {kStandard, "Or", Logical<OpKind::kOr>},
    {kStandard, "Xor", Logical<OpKind::kXor>},
    {kStandard, "BitwiseAnd", Binary<OpKind::kAnd>},
    {kStandard, "BitwiseOr", Binary<OpKind::kOr>},
    {kStandard, "BitwiseXor", Binary<OpKind::kXor>},
    {kStandard, "BitShift", BitShift},
    {kStandard, "Max", VariadicOp<OpKind::kMaximum>},
    {kStandard, "Min", VariadicOp<OpKind::kMinimum>},
    {kStandard, "Sum", VariadicOp<OpKind::kAdd>},
    {kStandard, "Mean", Mean},
    {kMicrosoft, "BiasAdd", VariadicOp<OpKind::kAdd>},
    {kStandard, "Where", SelectOp},
    {kStandard, "Clip", Clip},
};

}  // namespace

std::span<const OpEntry> BinaryOps() { return kBinaryOps; }

}  // namespace tilewise::onnx
