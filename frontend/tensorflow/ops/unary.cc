// Functions of one operand, element by element, and their gradients. Those that
// XLA has no instruction for are written out as it expands them.

#include "frontend/tensorflow/ops/families.h"
#include "library/activations.h"
#include "library/elementary.h"
#include "library/op_functions.h"

namespace tilewise::tf {
namespace {

// Gradients that TensorFlow has as ops, of the result y and its gradient.
Term TanhGrad(Term y, Term dy) { return y.Of(TanhGradient(y.b(), y.id, dy.id)); }
Term SigmoidGrad(Term y, Term dy) { return y.Of(SigmoidGradient(y.b(), y.id, dy.id)); }
Term SqrtGrad(Term y, Term dy) { return dy * 0.5 / y; }
Term RsqrtGrad(Term y, Term dy) { return dy * -0.5 * (y * y * y); }
Term ReciprocalGrad(Term y, Term dy) { return -dy * y * y; }

constexpr OpEntry kUnaryOps[] = {
    {"Abs", UnaryOp<OpKind::kAbs>},
    {"Acos", OfOne<Acos>},
    {"Acosh", OfOne<Acosh>},
    {"Angle", OfOne<Angle>},
    {"Asin", OfOne<Asin>},
    {"Asinh", OfOne<Asinh>},
    {"Atan", OfOne<Atan>},
    {"Atanh", OfOne<Atanh>},
    {"Ceil", UnaryOp<OpKind::kCeil>},
    {"ComplexAbs", OfOne<ComplexAbs>},
    {"Conj", OfOne<Conjugate>},
    {"Cos", UnaryOp<OpKind::kCosine>},
    {"Cosh", OfOne<Cosh>},
    {"Erf", UnaryOp<OpKind::kErf>},
    {"Erfc", OfOne<Erfc>},
    {"Erfinv", OfOne<Erfinv>},
    {"Exp", UnaryOp<OpKind::kExp>},
    {"Expm1", UnaryOp<OpKind::kExpMinusOne>},
    {"Floor", UnaryOp<OpKind::kFloor>},
    {"Imag", OfOne<ImaginaryPart>},
    {"Inv", OfOne<Reciprocal>},
    {"InvGrad", OfTerms<ReciprocalGrad>},
    {"Invert", UnaryOp<OpKind::kNot>},
    {"IsFinite", UnaryOp<OpKind::kIsFinite>},
    {"IsInf", OfOne<IsInf>},
    {"IsNan", OfOne<IsNan>},
    {"Log", UnaryOp<OpKind::kLog>},
    {"Log1p", UnaryOp<OpKind::kLogPlusOne>},
    {"Ndtri", OfOne<Ndtri>},
    {"Neg", UnaryOp<OpKind::kNegate>},
    {"PopulationCount", UnaryOp<OpKind::kPopcnt>},
    {"Real", OfOne<RealPart>},
    {"Reciprocal", OfOne<Reciprocal>},
    {"ReciprocalGrad", OfTerms<ReciprocalGrad>},
    {"Rint", UnaryOp<OpKind::kRoundNearestEven>},
    {"Round", UnaryOp<OpKind::kRoundNearestEven>},
    {"Rsqrt", UnaryOp<OpKind::kRsqrt>},
    {"RsqrtGrad", OfTerms<RsqrtGrad>},
    {"Sigmoid", UnaryOp<OpKind::kLogistic>},
    {"SigmoidGrad", OfTerms<SigmoidGrad>},
    {"Sign", UnaryOp<OpKind::kSign>},
    {"Sin", UnaryOp<OpKind::kSine>},
    {"Sinh", OfOne<Sinh>},
    {"Sqrt", UnaryOp<OpKind::kSqrt>},
    {"SqrtGrad", OfTerms<SqrtGrad>},
    {"Square", OfOne<Square>},
    {"Tan", UnaryOp<OpKind::kTan>},
    {"Tanh", UnaryOp<OpKind::kTanh>},
    {"TanhGrad", OfTerms<TanhGrad>},
};

}  // namespace

std::span<const OpEntry> UnaryOps() { return kUnaryOps; }

}  // namespace tilewise::tf
