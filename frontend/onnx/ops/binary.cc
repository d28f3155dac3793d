// Ops of two or more operands, element by element, folded where all are known.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/elementary.h"

namespace tilewise::onnx {
namespace {

// Before version 7, the second operand's dims start at `axis` of the first.
OpId SecondOperand(NodeContext& ctx, OpId x) {
  OpId y = ctx.Input(1);
  const int64_t axis = ctx.Int("axis", -1);
  if (ctx.opset() >= 7 || ctx.Int("broadcast", 0) == 0 || axis < 0) return y;
  const int64_t behind = ctx.builder().shape(x).rank() - axis - ctx.builder().shape(y).rank();
  std::vector<Dim> dims = ctx.builder().shape(y).dims;
  for (int64_t i = 0; i < behind; ++i) dims.push_back({1, false});
  return behind > 0 ? ctx.builder().Reshape(y, std::move(dims)) : y;
}

bool Fold(NodeContext& ctx, KnownBinaryOp op) {
  const KnownValue* x = ctx.Folded(0);
  const KnownValue* y = ctx.Folded(1);
  return x != nullptr && y != nullptr && ctx.SetIfKnown(0, KnownBinary(op, *x, *y));
}

template <OpKind kKind, KnownBinaryOp kKnown>
void Binary(NodeContext& ctx) {
  if (Fold(ctx, kKnown)) return;
  const OpId x = ctx.Input(0);
  ctx.Set(0, BinaryOf(ctx.builder(), kKind, x, SecondOperand(ctx, x)));
}

template <Comparison kComparison, KnownBinaryOp kKnown>
void Compare(NodeContext& ctx) {
  if (Fold(ctx, kKnown)) return;
  const OpId x = ctx.Input(0);
  ctx.Set(0, CompareOf(ctx.builder(), kComparison, x, SecondOperand(ctx, x)));
}

void Pow(NodeContext& ctx) {
  if (Fold(ctx, KnownBinaryOp::kPower)) return;
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const KnownValue* y = ctx.Folded(1);
  const std::optional<double> power = y == nullptr ? std::nullopt : KnownReal(*y);
  const bool floats = IsFloat(b.shape(x).dtype);
  if (power == 1.0) return PassOn(ctx, 0, 0);
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
  if (Fold(ctx, of_dividend ? KnownBinaryOp::kRemainder : KnownBinaryOp::kModulo)) {
    return;
  }
  GraphBuilder& b = ctx.builder();
  const OpId both[] = {ctx.Input(0), ctx.Input(1)};
  const std::vector<OpId> same = Stretched(b, both);
  ctx.Set(0, of_dividend ? b.Binary(OpKind::kRemainder, same[0], same[1])
                         : FloorModulo(b, same[0], same[1]));
}

template <OpKind kKind, KnownBinaryOp kKnown>
void Logical(NodeContext& ctx) {
  if (Fold(ctx, kKnown)) return;
  GraphBuilder& b = ctx.builder();
  const OpId x = AsPred(b, ctx.Input(0));
  ctx.Set(0, BinaryOf(b, kKind, x, AsPred(b, SecondOperand(ctx, x))));
}

void BitShift(NodeContext& ctx) {
  const bool left = ctx.Text("direction", "LEFT") == "LEFT";
  ctx.Set(0, BinaryOf(ctx.builder(), left ? OpKind::kShiftLeft : OpKind::kShiftRightLogical,
                      ctx.Input(0), ctx.Input(1)));
}

OpId Joined(NodeContext& ctx, OpKind kind) {
  OpId sum = ctx.Input(0);
  for (size_t i = 1; i < ctx.input_count() && ctx.ok(); ++i) {
    sum = BinaryOf(ctx.builder(), kind, sum, ctx.Input(i));
  }
  return sum;
}

template <OpKind kKind, KnownBinaryOp kKnown>
void Variadic(NodeContext& ctx) {
  if (ctx.input_count() == 1) return PassOn(ctx, 0, 0);
  if (ctx.input_count() == 2 && Fold(ctx, kKnown)) return;
  ctx.Set(0, Joined(ctx, kKind));
}

void Mean(NodeContext& ctx) {
  ctx.Set(0, WithScalar(ctx.builder(), OpKind::kMultiply, Joined(ctx, OpKind::kAdd),
                        1.0 / static_cast<double>(ctx.input_count())));
}

void Where(NodeContext& ctx) {
  const KnownValue* pred = ctx.Folded(0);
  const KnownValue* x = ctx.Folded(1);
  const KnownValue* y = ctx.Folded(2);
  if (pred != nullptr && x != nullptr && y != nullptr &&
      ctx.SetIfKnown(0, KnownSelect(*pred, *x, *y))) {
    return;
  }
  ctx.Set(0, SelectOf(ctx.builder(), ctx.Input(0), ctx.Input(1), ctx.Input(2)));
}

// A bound: an attribute before version 11, then an operand.
OpId Bounded(NodeContext& ctx, OpId x, OpKind kind, std::string_view name, size_t i) {
  GraphBuilder& b = ctx.builder();
  if (const AttributeView* bound = ctx.Find(name)) {
    return WithScalar(b, kind, x, bound->f);
  }
  if (!ctx.Has(i)) return x;
  if (const std::optional<double> bound = ctx.KnownNumberAt(i)) {
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

using K = KnownBinaryOp;
constexpr OpEntry kBinaryOps[] = {
    {kStandard, "Add", Binary<OpKind::kAdd, K::kAdd>},
    {kStandard, "Sub", Binary<OpKind::kSubtract, K::kSubtract>},
    {kStandard, "Mul", Binary<OpKind::kMultiply, K::kMultiply>},
    {kStandard, "Div", Binary<OpKind::kDivide, K::kDivide>},
    {kStandard, "Pow", Pow},
    {kStandard, "Mod", Mod},
    {kStandard, "Equal", Compare<Comparison::kEq, K::kEqual>},
    {kStandard, "Less", Compare<Comparison::kLt, K::kLess>},
    {kStandard, "LessOrEqual", Compare<Comparison::kLe, K::kLessEqual>},
    {kStandard, "Greater", Compare<Comparison::kGt, K::kGreater>},
    {kStandard, "GreaterOrEqual", Compare<Comparison::kGe, K::kGreaterEqual>},
    {kStandard, "And", Logical<OpKind::kAnd, K::kAnd>},
    {kStandard, "Or", Logical<OpKind::kOr, K::kOr>},
    {kStandard, "Xor", Logical<OpKind::kXor, K::kXor>},
    {kStandard, "BitwiseAnd", Binary<OpKind::kAnd, K::kAnd>},
    {kStandard, "BitwiseOr", Binary<OpKind::kOr, K::kOr>},
    {kStandard, "BitwiseXor", Binary<OpKind::kXor, K::kXor>},
    {kStandard, "BitShift", BitShift},
    {kStandard, "Max", Variadic<OpKind::kMaximum, K::kMaximum>},
    {kStandard, "Min", Variadic<OpKind::kMinimum, K::kMinimum>},
    {kStandard, "Sum", Variadic<OpKind::kAdd, K::kAdd>},
    {kStandard, "Mean", Mean},
    {kStandard, "Where", Where},
    {kStandard, "Clip", Clip},
};

}  // namespace

std::span<const OpEntry> BinaryOps() { return kBinaryOps; }

}  // namespace tilewise::onnx
