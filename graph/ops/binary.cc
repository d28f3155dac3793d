// Functions of two elements, and select.

#include <algorithm>
#include <cmath>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr SameFloatShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckFloat(operands, 0));
  return SameShape(op, operands);
}

ShapeOr SameBitsShape(const Op& op, Shapes operands) {
  const DType dtype = operands[0]->dtype;
  if (dtype != DType::kPred && !IsInteger(dtype)) {
    return WrongOperand(0, *operands[0], "pred or an integer type");
  }
  return SameShape(op, operands);
}

ShapeOr SameIntegerShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckInteger(operands, 0));
  return SameShape(op, operands);
}

ShapeOr ComplexShape(const Op& op, Shapes operands) {
  const DType part = operands[0]->dtype;
  if (part != DType::kF32 && part != DType::kF64) {
    return WrongOperand(0, *operands[0], "f32 or f64");
  }
  TW_RETURN_IF_ERROR(SameShape(op, operands).status());
  return operands[0]->WithType(part == DType::kF32 ? DType::kC64 : DType::kC128);
}

ShapeOr CompareShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(SameShape(op, operands).status());
  return operands[0]->WithType(DType::kPred);
}

ShapeOr SelectShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSame(operands, 0, operands[1]->WithType(DType::kPred)));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, *operands[1]));
  return *operands[1];
}

Gradients SumGradient(const GradientCall& call) {
  const bool subtract = call.op.kind == OpKind::kSubtract;
  Gradients result = {call.wants(0) ? call.dy : kNoOp, call.wants(1) ? call.dy : kNoOp};
  if (subtract && call.wants(1)) {
    result[1] = call.builder.Unary(OpKind::kNegate, call.dy);
  }
  return result;
}

Gradients ProductGradient(const GradientCall& call) {
  Gradients result(2, kNoOp);
  for (size_t i = 0; i < 2; ++i) {
    if (!call.wants(i)) continue;
    result[i] = call.builder.Binary(OpKind::kMultiply, call.dy, call.operand(1 - i));
  }
  return result;
}

// See RealGradient for what is kept of a complex number's gradient.
Gradients ComplexGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result(2, kNoOp);
  if (call.wants(0)) result[0] = b.Unary(OpKind::kReal, call.dy);
  if (call.wants(1)) result[1] = b.Unary(OpKind::kNegate, b.Unary(OpKind::kImag, call.dy));
  return result;
}

// d(x/y) = dy/y, -(dy/y) (x/y).
Gradients QuotientGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId scaled = b.Binary(OpKind::kDivide, call.dy, call.operand(1));
  Gradients result = {call.wants(0) ? scaled : kNoOp, kNoOp};
  if (call.wants(1)) {
    const OpId product = b.Binary(OpKind::kMultiply, scaled, call.op.id);
    result[1] = b.Unary(OpKind::kNegate, product);
  }
  return result;
}

// d(x^y) = y x^(y-1), x^y log x. Where x <= 0 the latter counts as 0, as the
// logarithm has no value there.
Gradients PowerGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const OpId y = call.operand(1);
  Gradients result(2, kNoOp);
  if (call.wants(0)) {
    const OpId lower = b.Binary(OpKind::kPower, x, b.BinaryScalar(OpKind::kAdd, y, -1));
    const OpId slope = b.Binary(OpKind::kMultiply, y, lower);
    result[0] = b.Binary(OpKind::kMultiply, call.dy, slope);
  }
  if (call.wants(1)) {
    const OpId zero = b.Constant(0, call.op.shape);
    const OpId one = b.Constant(1, call.op.shape);
    const OpId positive = b.Compare(Comparison::kGt, x, zero);
    const OpId log = b.Unary(OpKind::kLog, b.Select(positive, x, one));
    const OpId slope = b.Binary(OpKind::kMultiply, call.op.id, log);
    result[1] = b.Binary(OpKind::kMultiply, call.dy, slope);
  }
  return result;
}

// x - y trunc(x / y): flat steps of trunc count as constants.
Gradients RemainderGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result = {call.wants(0) ? call.dy : kNoOp, kNoOp};
  if (call.wants(1)) {
    const OpId whole = b.Binary(OpKind::kSubtract, call.operand(0), call.op.id);
    const OpId times =
        b.Unary(OpKind::kRoundNearestEven, b.Binary(OpKind::kDivide, whole, call.operand(1)));
    result[1] = b.Unary(OpKind::kNegate, b.Binary(OpKind::kMultiply, call.dy, times));
  }
  return result;
}

// d atan2(y, x) = (x dy - y dx) / (x^2 + y^2).
Gradients AngleGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId y = call.operand(0);
  const OpId x = call.operand(1);
  const OpId square =
      b.Binary(OpKind::kAdd, b.Binary(OpKind::kMultiply, x, x), b.Binary(OpKind::kMultiply, y, y));
  const OpId scaled = b.Binary(OpKind::kDivide, call.dy, square);
  Gradients result(2, kNoOp);
  if (call.wants(0)) result[0] = b.Binary(OpKind::kMultiply, scaled, x);
  if (call.wants(1)) {
    result[1] = b.Unary(OpKind::kNegate, b.Binary(OpKind::kMultiply, scaled, y));
  }
  return result;
}

// The operand that won takes all; at a tie the second does, so that a rectifier
// max(x, 0) is flat at 0. The first won where the result differs from the
// second: so a rectifier keeps its result for the backward pass, which the next
// op keeps anyway, and not its operand.
Gradients ExtremumGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Comparison first_wins =
      call.op.kind == OpKind::kMaximum ? Comparison::kGt : Comparison::kLt;
  const OpId first = b.Compare(first_wins, call.op.id, call.operand(1));
  const OpId zero = b.Constant(0, call.op.shape);
  return {call.wants(0) ? b.Select(first, call.dy, zero) : kNoOp,
          call.wants(1) ? b.Select(first, zero, call.dy) : kNoOp};
}

Gradients SelectGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId pred = call.operand(0);
  const OpId zero = b.Constant(0, call.op.shape);
  return {kNoOp, call.wants(1) ? b.Select(pred, call.dy, zero) : kNoOp,
          call.wants(2) ? b.Select(pred, zero, call.dy) : kNoOp};
}

bool Holds(Comparison comparison, double x, double y) {
  switch (comparison) {
    case Comparison::kEq:
      return x == y;
    case Comparison::kNe:
      return x != y;
    case Comparison::kLt:
      return x < y;
    case Comparison::kLe:
      return x <= y;
    case Comparison::kGt:
      return x > y;
    case Comparison::kGe:
      return x >= y;
  }
  return false;
}

std::optional<double> CompareSplat(const SplatCall& call) {
  return Holds(call.op.as<CompareAttrs>().comparison, call.values[0], call.values[1]) ? 1 : 0;
}

std::optional<double> SelectSplat(const SplatCall& call) {
  return call.values[0] != 0 ? call.values[1] : call.values[2];
}

template <auto kFunction>
std::optional<double> PredSplat(const SplatCall& call) {
  if (call.op.shape.dtype != DType::kPred) return std::nullopt;
  return kFunction(call.values[0] != 0, call.values[1] != 0) ? 1 : 0;
}

constexpr OpTraits Binary(ShapeFunction shape, GradientFunction gradient,
                          SplatFunction splat = nullptr) {
  return {.operands = 2, .shape = shape, .gradient = gradient, .links = LinkSame, .splat = splat};
}

constexpr auto kCompareFields = FieldsOf<CompareAttrs, &CompareAttrs::comparison>("comparison");

}  // namespace

constexpr OpTraits op_traits::kAdd =
    Binary(SameShape, SumGradient, BinarySplat<[](double x, double y) { return x + y; }>);
constexpr OpTraits op_traits::kSubtract =
    Binary(SameShape, SumGradient, BinarySplat<[](double x, double y) { return x - y; }>);
constexpr OpTraits op_traits::kMultiply =
    Binary(SameShape, ProductGradient, BinarySplat<[](double x, double y) { return x * y; }>);
constexpr OpTraits op_traits::kDivide =
    Binary(SameShape, QuotientGradient, BinarySplat<[](double x, double y) { return x / y; }>);
constexpr OpTraits op_traits::kMaximum = Binary(
    SameShape, ExtremumGradient, BinarySplat<[](double x, double y) { return std::max(x, y); }>);
constexpr OpTraits op_traits::kMinimum = Binary(
    SameShape, ExtremumGradient, BinarySplat<[](double x, double y) { return std::min(x, y); }>);
constexpr OpTraits op_traits::kPower = Binary(
    SameShape, PowerGradient, BinarySplat<[](double x, double y) { return std::pow(x, y); }>);
constexpr OpTraits op_traits::kRemainder = Binary(
    SameShape, RemainderGradient, BinarySplat<[](double x, double y) { return std::fmod(x, y); }>);
constexpr OpTraits op_traits::kAtan2 =
    Binary(SameFloatShape, AngleGradient,
           BinarySplat<[](double x, double y) { return std::atan2(x, y); }>);
constexpr OpTraits op_traits::kComplex = Binary(ComplexShape, ComplexGradient);
constexpr OpTraits op_traits::kCompare = {.operands = 2,
                                          .attributes = kCompareFields,
                                          .shape = CompareShape,
                                          .gradient = NoGradient,
                                          .links = LinkSame,
                                          .splat = CompareSplat};
constexpr OpTraits op_traits::kAnd =
    Binary(SameBitsShape, NoGradient, PredSplat<[](bool x, bool y) { return x && y; }>);
constexpr OpTraits op_traits::kOr =
    Binary(SameBitsShape, NoGradient, PredSplat<[](bool x, bool y) { return x || y; }>);
constexpr OpTraits op_traits::kXor =
    Binary(SameBitsShape, NoGradient, PredSplat<[](bool x, bool y) { return x != y; }>);
constexpr OpTraits op_traits::kShiftLeft = Binary(SameIntegerShape, NoGradient);
constexpr OpTraits op_traits::kShiftRightArithmetic = Binary(SameIntegerShape, NoGradient);
constexpr OpTraits op_traits::kShiftRightLogical = Binary(SameIntegerShape, NoGradient);
constexpr OpTraits op_traits::kSelect = {.operands = 3,
                                         .shape = SelectShape,
                                         .gradient = SelectGradient,
                                         .links = LinkSame,
                                         .splat = SelectSplat};

}  // namespace tilewise
