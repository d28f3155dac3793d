// Arithmetic of two or more operands: sums, products, quotients, remainders.
// Numbers that are known while reading are computed, which is how sizes that a
// model derives from its shapes stay known.

#include <optional>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/elementary.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

using TwoTerms = Term (*)(Term x, Term y);

absl::Status SetFormula(OpContext& ctx, TwoTerms formula) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  ctx.SetOp(0, formula({ctx.builder, x}, {ctx.builder, y}).id);
  return absl::OkStatus();
}

template <TwoTerms kFormula>
absl::Status Formula(OpContext& ctx) {
  return SetFormula(ctx, kFormula);
}

template <TwoTerms kFormula, KnownBinaryOp kFold>
absl::Status FoldedFormula(OpContext& ctx) {
  if (FoldBinary(ctx, kFold)) return absl::OkStatus();
  return SetFormula(ctx, kFormula);
}

// A function that the formats share, as one of terms.
template <OpId (*kFunction)(GraphBuilder&, OpId, OpId)>
Term As(Term x, Term y) {
  return x.Of(kFunction(x.b(), x.id, y.id));
}

template <OpKind kKind>
Term Joined(Term x, Term y) {
  return Binary(kKind, x, y);
}

template <OpKind kKind, KnownBinaryOp kFold>
absl::Status Folded(OpContext& ctx) {
  return FoldedFormula<Joined<kKind>, kFold>(ctx);
}

template <OpKind kKind>
absl::Status Plain(OpContext& ctx) {
  return Formula<Joined<kKind>>(ctx);
}

Term TruncateDivide(Term x, Term y) {
  const Term quotient = x / y;
  if (!IsFloat(x.shape().dtype)) return quotient;
  return Sign(quotient) * Unary(OpKind::kFloor, Abs(quotient));
}

Term DivideNoNan(Term x, Term y) {
  const Term quotient = x / y;
  return Where(Compared(Comparison::kEq, y, 0), quotient.Like(0), quotient);
}

Term MultiplyNoNan(Term x, Term y) {
  const Term product = x * y;
  return Where(Compared(Comparison::kEq, y, 0), product.Like(0), product);
}

Term SquaredDifference(Term x, Term y) { return Square(x - y); }

// x f(y), and 0 where x is 0.
template <TwoTerms kOuter, Term (*kInner)(Term)>
Term ZeroSafe(Term x, Term y) {
  const Term result = kOuter(x, kInner(y));
  return Where(Compared(Comparison::kEq, x, 0), result.Like(0), result);
}

Term Same(Term x) { return x; }
Term LogPlusOne(Term x) { return Unary(OpKind::kLogPlusOne, x); }

// Logical for unsigned integers.
Term ShiftRight(Term x, Term y) {
  switch (x.shape().dtype) {
    case DType::kU8:
    case DType::kU16:
    case DType::kU32:
    case DType::kU64:
      return Binary(OpKind::kShiftRightLogical, x, y);
    default:
      return Binary(OpKind::kShiftRightArithmetic, x, y);
  }
}

absl::Status AddN(OpContext& ctx) {
  const KnownValue* first = ctx.Known(0);
  MaybeKnown sum = first != nullptr ? MaybeKnown(*first) : std::nullopt;
  for (int64_t i = 1; i < ctx.num_inputs() && sum; ++i) {
    const KnownValue* next = ctx.Known(i);
    sum = next != nullptr ? KnownBinary(KnownBinaryOp::kAdd, *sum, *next) : std::nullopt;
  }
  if (ctx.SetIfKnown(0, std::move(sum))) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const std::vector<OpId> xs, Tensors(ctx, 0, ctx.num_inputs()));
  if (xs.empty()) return InvalidInput("found no operands, expected some");
  OpId total = xs[0];
  for (size_t i = 1; i < xs.size(); ++i) {
    total = ctx.builder.Binary(OpKind::kAdd, total, xs[i]);
  }
  ctx.SetOp(0, total);
  return absl::OkStatus();
}

absl::Status ClipByValue(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder;
  const Term x(b, xs[0]), low(b, xs[1]), high(b, xs[2]);
  ctx.SetOp(0, Max(Min(x, high), low).id);
  return absl::OkStatus();
}

absl::Status Complex(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId real, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId imag, Tensor(ctx, 1));
  ctx.SetOp(0, BinaryOf(ctx.builder, OpKind::kComplex, real, imag));
  return absl::OkStatus();
}

constexpr OpEntry kArithmeticOps[] = {
    {"AccumulateNV2", AddN},
    {"Add", Folded<OpKind::kAdd, KnownBinaryOp::kAdd>},
    {"AddN", AddN},
    {"AddV2", Folded<OpKind::kAdd, KnownBinaryOp::kAdd>},
    {"Atan2", Plain<OpKind::kAtan2>},
    {"BitwiseAnd", Plain<OpKind::kAnd>},
    {"BitwiseOr", Plain<OpKind::kOr>},
    {"BitwiseXor", Plain<OpKind::kXor>},
    {"ClipByValue", ClipByValue},
    {"Complex", Complex},
    {"Div", Folded<OpKind::kDivide, KnownBinaryOp::kDivide>},
    {"DivNoNan", Formula<DivideNoNan>},
    {"FloorDiv", FoldedFormula<As<FloorDivide>, KnownBinaryOp::kFloorDivide>},
    {"FloorMod", FoldedFormula<As<FloorModulo>, KnownBinaryOp::kModulo>},
    {"LeftShift", Plain<OpKind::kShiftLeft>},
    {"Maximum", Folded<OpKind::kMaximum, KnownBinaryOp::kMaximum>},
    {"Minimum", Folded<OpKind::kMinimum, KnownBinaryOp::kMinimum>},
    {"Mod", Folded<OpKind::kRemainder, KnownBinaryOp::kRemainder>},
    {"Mul", Folded<OpKind::kMultiply, KnownBinaryOp::kMultiply>},
    {"MulNoNan", Formula<MultiplyNoNan>},
    {"Pow", Folded<OpKind::kPower, KnownBinaryOp::kPower>},
    {"RealDiv", Folded<OpKind::kDivide, KnownBinaryOp::kDivide>},
    {"RightShift", Formula<ShiftRight>},
    {"SquaredDifference", Formula<SquaredDifference>},
    {"Sub", Folded<OpKind::kSubtract, KnownBinaryOp::kSubtract>},
    {"TruncateDiv", Formula<TruncateDivide>},
    {"TruncateMod", Folded<OpKind::kRemainder, KnownBinaryOp::kRemainder>},
    {"Xdivy", Formula<ZeroSafe<Joined<OpKind::kDivide>, Same>>},
    {"Xlog1py", Formula<ZeroSafe<Joined<OpKind::kMultiply>, LogPlusOne>>},
    {"Xlogy", Formula<ZeroSafe<Joined<OpKind::kMultiply>, Log>>},
};

}  // namespace

std::span<const OpEntry> ArithmeticOps() { return kArithmeticOps; }

}  // namespace tilewise::tf
