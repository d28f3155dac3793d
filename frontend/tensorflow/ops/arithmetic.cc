// Arithmetic of two or more operands: sums, products, quotients, remainders.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/elementary.h"
#include "library/op_functions.h"

namespace tilewise::tf {
namespace {

Term TruncateDivide(Term x, Term y) {
  const Term quotient = x / y;
  if (!IsFloat(x.shape().dtype)) return quotient;
  return Sign(quotient) * Unary(OpKind::kFloor, Abs(quotient));
}

Term DivideNoNan(Term x, Term y) {
  const Term quotient = x / y;
  const Term zero = quotient.Like(0);
  return Where(Compared(Comparison::kEq, y, 0), zero, quotient);
}

Term MultiplyNoNan(Term x, Term y) {
  const Term product = x * y;
  const Term zero = product.Like(0);
  return Where(Compared(Comparison::kEq, y, 0), zero, product);
}

Term SquaredDifference(Term x, Term y) { return Square(x - y); }

// x op f(y), and 0 where x is 0.
template <OpKind kKind, Term (*kInner)(Term)>
Term ZeroSafe(Term x, Term y) {
  const Term result = Binary(kKind, x, kInner(y));
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

absl::Status ClipByValue(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder();
  const Term x(b, xs[0]), low(b, xs[1]), high(b, xs[2]);
  return ctx.Result(Max(Min(x, high), low).id);
}

constexpr OpEntry kArithmeticOps[] = {
    {"AccumulateNV2", VariadicOp<OpKind::kAdd>},
    {"Add", BinaryOp<OpKind::kAdd>},
    {"AddN", VariadicOp<OpKind::kAdd>},
    {"AddV2", BinaryOp<OpKind::kAdd>},
    {"Atan2", BinaryOp<OpKind::kAtan2>},
    {"BitwiseAnd", BinaryOp<OpKind::kAnd>},
    {"BitwiseOr", BinaryOp<OpKind::kOr>},
    {"BitwiseXor", BinaryOp<OpKind::kXor>},
    {"ClipByValue", ClipByValue},
    {"Complex", BinaryOp<OpKind::kComplex>},
    {"Div", BinaryOp<OpKind::kDivide>},
    {"DivNoNan", OfTerms<DivideNoNan>},
    {"FloorDiv", OfTwo<FloorDivide>},
    {"FloorMod", OfTwo<FloorModulo>},
    {"LeftShift", BinaryOp<OpKind::kShiftLeft>},
    {"Maximum", BinaryOp<OpKind::kMaximum>},
    {"Minimum", BinaryOp<OpKind::kMinimum>},
    {"Mod", BinaryOp<OpKind::kRemainder>},
    {"Mul", BinaryOp<OpKind::kMultiply>},
    {"MulNoNan", OfTerms<MultiplyNoNan>},
    {"Pow", BinaryOp<OpKind::kPower>},
    {"RealDiv", BinaryOp<OpKind::kDivide>},
    {"RightShift", OfTerms<ShiftRight>},
    {"SquaredDifference", OfTerms<SquaredDifference>},
    {"Sub", BinaryOp<OpKind::kSubtract>},
    {"TruncateDiv", OfTerms<TruncateDivide>},
    {"TruncateMod", BinaryOp<OpKind::kRemainder>},
    {"Xdivy", OfTerms<ZeroSafe<OpKind::kDivide, Same>>},
    {"Xlog1py", OfTerms<ZeroSafe<OpKind::kMultiply, LogPlusOne>>},
    {"Xlogy", OfTerms<ZeroSafe<OpKind::kMultiply, Log>>},
};

}  // namespace

std::span<const OpEntry> ArithmeticOps() { return kArithmeticOps; }

}  // namespace tilewise::tf
