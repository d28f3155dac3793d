// Functions of one element, and its rounding by random bits. Gradients are written with the
// function's own result where that saves work; kinks (abs and its like at 0) get slope 0.

#include <cmath>
#include <numbers>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// Returns the type of the parts of a complex number; other types are their own part.
DType PartType(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  return dtype == DType::kC128 ? DType::kF64 : dtype;
}

ShapeOr FloatShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckFloat(operands, 0));
  return *operands[0];
}

ShapeOr BitsShape(const Op&, Shapes operands) {
  const DType dtype = operands[0]->dtype;
  if (dtype == DType::kPred || IsInteger(dtype)) return *operands[0];
  return WrongOperand(0, *operands[0], "pred or an integer type");
}

ShapeOr IntegerShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckInteger(operands, 0));
  return *operands[0];
}

ShapeOr MagnitudeShape(const Op&, Shapes operands) {
  return operands[0]->WithType(PartType(operands[0]->dtype));
}

ShapeOr PartShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckFloat(operands, 0));
  return operands[0]->WithType(PartType(operands[0]->dtype));
}

ShapeOr IsFiniteShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  return operands[0]->WithType(DType::kPred);
}

ShapeOr ConvertShape(const Op& op, Shapes operands) {
  return operands[0]->WithType(op.shape.dtype);
}

// The unsigned integer with as many bits as `dtype`, a real float.
DType BitsOf(DType dtype) {
  switch (BitWidth(dtype)) {
    case 4:
      return DType::kU4;
    case 8:
      return DType::kU8;
    case 16:
      return DType::kU16;
    case 32:
      return DType::kU32;
    default:
      return DType::kU64;
  }
}

ShapeOr StochasticConvertShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, operands[0]->WithType(BitsOf(operands[0]->dtype))));
  return operands[0]->WithType(op.shape.dtype);
}

OpId Square(GraphBuilder& b, OpId x) { return b.Binary(OpKind::kMultiply, x, x); }

OpId OneMinus(GraphBuilder& b, OpId x) {
  return b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kNegate, x), 1);
}

// dy times the slope of the function at x, where its result is y.
template <OpId (*kSlope)(GraphBuilder& b, OpId x, OpId y)>
Gradients TimesSlope(const GradientCall& call) {
  const OpId slope = kSlope(call.builder, call.operand(0), call.op.id);
  return {call.builder.Binary(OpKind::kMultiply, call.dy, slope)};
}

OpId AbsSlope(GraphBuilder& b, OpId x, OpId) { return b.Unary(OpKind::kSign, x); }

OpId ExpSlope(GraphBuilder&, OpId, OpId y) { return y; }

OpId ExpMinusOneSlope(GraphBuilder& b, OpId, OpId y) { return b.BinaryScalar(OpKind::kAdd, y, 1); }

// 1 - y^2
OpId TanhSlope(GraphBuilder& b, OpId, OpId y) { return OneMinus(b, Square(b, y)); }

// y (1 - y)
OpId LogisticSlope(GraphBuilder& b, OpId, OpId y) {
  return b.Binary(OpKind::kMultiply, y, OneMinus(b, y));
}

// -y^3 / 2
OpId RsqrtSlope(GraphBuilder& b, OpId, OpId y) {
  const OpId cube = b.Binary(OpKind::kMultiply, Square(b, y), y);
  return b.BinaryScalar(OpKind::kMultiply, cube, -0.5);
}

// 2 / sqrt(pi) exp(-x^2)
OpId ErfSlope(GraphBuilder& b, OpId x, OpId) {
  const OpId bell = b.Unary(OpKind::kExp, b.Unary(OpKind::kNegate, Square(b, x)));
  return b.BinaryScalar(OpKind::kMultiply, bell, 2 * std::numbers::inv_sqrtpi);
}

OpId SineSlope(GraphBuilder& b, OpId x, OpId) { return b.Unary(OpKind::kCosine, x); }

OpId CosineSlope(GraphBuilder& b, OpId x, OpId) {
  return b.Unary(OpKind::kNegate, b.Unary(OpKind::kSine, x));
}

// 1 + y^2
OpId TanSlope(GraphBuilder& b, OpId, OpId y) {
  return b.BinaryScalar(OpKind::kAdd, Square(b, y), 1);
}

Gradients NegateGradient(const GradientCall& call) {
  return {call.builder.Unary(OpKind::kNegate, call.dy)};
}

Gradients LogGradient(const GradientCall& call) {
  return {call.builder.Binary(OpKind::kDivide, call.dy, call.operand(0))};
}

Gradients LogPlusOneGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  return {b.Binary(OpKind::kDivide, call.dy, b.BinaryScalar(OpKind::kAdd, call.operand(0), 1))};
}

// dy / (2 y)
Gradients SqrtGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId half = b.BinaryScalar(OpKind::kMultiply, call.dy, 0.5);
  return {b.Binary(OpKind::kDivide, half, call.op.id)};
}

// dy / (3 y^2)
Gradients CbrtGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId square = Square(b, call.op.id);
  return {b.Binary(OpKind::kDivide, call.dy, b.BinaryScalar(OpKind::kMultiply, square, 3))};
}

Gradients ConvertGradient(const GradientCall& call) {
  return {call.builder.Convert(call.dy, call.shape(0).dtype)};
}

// The gradient of a complex number is kept as dL/da - i dL/db of a + ib, so that those of products
// and other holomorphic functions are made as if the numbers were real.
Gradients RealGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  return {b.Binary(OpKind::kComplex, call.dy, b.Constant(0, call.op.shape))};
}

Gradients ImagGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId zero = b.Constant(0, call.op.shape);
  return {b.Binary(OpKind::kComplex, zero, b.Unary(OpKind::kNegate, call.dy))};
}

// Rounding is right on average, so the slope is that of a conversion; there is
// none of the random bits.
Gradients StochasticConvertGradient(const GradientCall& call) {
  return {call.builder.Convert(call.dy, call.shape(0).dtype), kNoOp};
}

double SignOf(double x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

std::optional<double> ConvertSplat(const SplatCall& call) {
  const DType to = call.op.shape.dtype;
  const double x = call.values[0];
  if (to == DType::kPred) return x != 0 ? 1 : 0;
  return IsFloat(to) ? x : std::trunc(x);
}

std::optional<double> NotSplat(const SplatCall& call) {
  if (call.op.shape.dtype != DType::kPred) return std::nullopt;
  return call.values[0] == 0 ? 1 : 0;
}

constexpr OpTraits Unary(ShapeFunction shape, GradientFunction gradient,
                         SplatFunction splat = nullptr) {
  return {.operands = 1, .shape = shape, .gradient = gradient, .links = LinkSame, .splat = splat};
}

}  // namespace

constexpr OpTraits op_traits::kNegate =
    Unary(FirstShape, NegateGradient, UnarySplat<[](double x) { return -x; }>);
constexpr OpTraits op_traits::kAbs =
    Unary(MagnitudeShape, TimesSlope<AbsSlope>, UnarySplat<[](double x) { return std::abs(x); }>);
constexpr OpTraits op_traits::kSign = Unary(FirstShape, NoGradient, UnarySplat<SignOf>);
constexpr OpTraits op_traits::kExp =
    Unary(FloatShape, TimesSlope<ExpSlope>, UnarySplat<[](double x) { return std::exp(x); }>);
constexpr OpTraits op_traits::kLog =
    Unary(FloatShape, LogGradient, UnarySplat<[](double x) { return std::log(x); }>);
constexpr OpTraits op_traits::kTanh =
    Unary(FloatShape, TimesSlope<TanhSlope>, UnarySplat<[](double x) { return std::tanh(x); }>);
constexpr OpTraits op_traits::kLogistic =
    Unary(FloatShape, TimesSlope<LogisticSlope>,
          UnarySplat<[](double x) { return 1 / (1 + std::exp(-x)); }>);
constexpr OpTraits op_traits::kSqrt =
    Unary(FloatShape, SqrtGradient, UnarySplat<[](double x) { return std::sqrt(x); }>);
constexpr OpTraits op_traits::kRsqrt = Unary(FloatShape, TimesSlope<RsqrtSlope>,
                                             UnarySplat<[](double x) { return 1 / std::sqrt(x); }>);
constexpr OpTraits op_traits::kErf =
    Unary(SameRealShape, TimesSlope<ErfSlope>, UnarySplat<[](double x) { return std::erf(x); }>);
constexpr OpTraits op_traits::kSine =
    Unary(FloatShape, TimesSlope<SineSlope>, UnarySplat<[](double x) { return std::sin(x); }>);
constexpr OpTraits op_traits::kCosine =
    Unary(FloatShape, TimesSlope<CosineSlope>, UnarySplat<[](double x) { return std::cos(x); }>);
constexpr OpTraits op_traits::kFloor =
    Unary(SameRealShape, NoGradient, UnarySplat<[](double x) { return std::floor(x); }>);
constexpr OpTraits op_traits::kCeil =
    Unary(SameRealShape, NoGradient, UnarySplat<[](double x) { return std::ceil(x); }>);
constexpr OpTraits op_traits::kRoundNearestEven =
    Unary(SameRealShape, NoGradient, UnarySplat<[](double x) { return std::nearbyint(x); }>);
constexpr OpTraits op_traits::kRoundNearestAfz =
    Unary(SameRealShape, NoGradient, UnarySplat<[](double x) { return std::round(x); }>);
constexpr OpTraits op_traits::kLogPlusOne =
    Unary(FloatShape, LogPlusOneGradient, UnarySplat<[](double x) { return std::log1p(x); }>);
constexpr OpTraits op_traits::kExpMinusOne = Unary(
    FloatShape, TimesSlope<ExpMinusOneSlope>, UnarySplat<[](double x) { return std::expm1(x); }>);
constexpr OpTraits op_traits::kTan =
    Unary(FloatShape, TimesSlope<TanSlope>, UnarySplat<[](double x) { return std::tan(x); }>);
constexpr OpTraits op_traits::kCbrt =
    Unary(FloatShape, CbrtGradient, UnarySplat<[](double x) { return std::cbrt(x); }>);
constexpr OpTraits op_traits::kIsFinite = Unary(IsFiniteShape, NoGradient);
constexpr OpTraits op_traits::kNot = Unary(BitsShape, NoGradient, NotSplat);
constexpr OpTraits op_traits::kPopcnt = Unary(IntegerShape, NoGradient);
constexpr OpTraits op_traits::kClz = Unary(IntegerShape, NoGradient);
constexpr OpTraits op_traits::kReal = Unary(PartShape, RealGradient);
constexpr OpTraits op_traits::kImag = Unary(PartShape, ImagGradient);
constexpr OpTraits op_traits::kConvert = Unary(ConvertShape, ConvertGradient, ConvertSplat);
constexpr OpTraits op_traits::kStochasticConvert = {.operands = 2,
                                                    .shape = StochasticConvertShape,
                                                    .gradient = StochasticConvertGradient,
                                                    .links = LinkSame};

}  // namespace tilewise
