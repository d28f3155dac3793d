// Functions of one element, and its rounding by random bits.

#include "graph/shape_checks.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/elementwise.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

// An op that is its own inverse, twice.
OpId SimplifyTwice(Simplifier& s, const Op& op) {
  const Op& inner = s.op(op.operands[0]);
  return inner.kind == op.kind ? inner.operands[0] : kNoOp;
}

bool IsUnsigned(DType dtype) {
  return dtype == DType::kU4 || dtype == DType::kU8 || dtype == DType::kU16 ||
         dtype == DType::kU32 || dtype == DType::kU64;
}

// Whether every value of `from` is one of `to`.
bool Widens(DType from, DType to) {
  if (from == DType::kPred) return true;
  if (IsFloat(from)) {
    return from == to || (IsFloat(to) && BitWidth(to) > BitWidth(from));
  }
  if (IsFloat(to)) {
    return BitWidth(from) <= (to == DType::kF64   ? 32
                              : to == DType::kF32 ? 16
                                                  : 8) &&
           to != DType::kBF16;
  }
  const bool keeps_sign = IsUnsigned(from) == IsUnsigned(to) || IsUnsigned(from);
  return IsInteger(to) && keeps_sign && BitWidth(to) > BitWidth(from);
}

OpId SimplifyConvert(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dtype == op.shape.dtype) return x.id;
  if (x.kind != OpKind::kConvert) return kNoOp;
  const OpId source = x.operands[0];
  if (!Widens(s.shape(source).dtype, x.shape.dtype)) return kNoOp;
  if (s.shape(source).dtype == op.shape.dtype) return source;
  return s.Emit(op, OpKind::kConvert, {source}, op.shape);
}

// No bit decides anything where every value has its like in the new type.
OpId SimplifyStochasticConvert(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dtype == op.shape.dtype) return x.id;
  if (!Widens(x.shape.dtype, op.shape.dtype)) return kNoOp;
  return s.Emit(op, OpKind::kConvert, {x.id}, op.shape);
}

// The size of a complex number, from its two parts.
constexpr RegisterCost kMagnitude = {7, 1};

}  // namespace

constexpr LoweringTraits lowering_traits::kNegate =
    Simplified(PartByPart(), SimplifyTwice, IsLinear);
constexpr LoweringTraits lowering_traits::kAbs = Elementwise({}, kMagnitude);
constexpr LoweringTraits lowering_traits::kSign = Elementwise({2, 0});
constexpr LoweringTraits lowering_traits::kExp = Elementwise({3, 1});
constexpr LoweringTraits lowering_traits::kLog = Elementwise({6, 1});
constexpr LoweringTraits lowering_traits::kTanh = Elementwise({1, 1});
constexpr LoweringTraits lowering_traits::kLogistic = Elementwise({18, 2});
constexpr LoweringTraits lowering_traits::kSqrt = Elementwise({4, 1});
constexpr LoweringTraits lowering_traits::kRsqrt = Elementwise({3, 1});
constexpr LoweringTraits lowering_traits::kErf = Elementwise({16, 1});
constexpr LoweringTraits lowering_traits::kSine = Elementwise({30, 0});
constexpr LoweringTraits lowering_traits::kCosine = Elementwise({30, 0});
constexpr LoweringTraits lowering_traits::kFloor = Elementwise({2, 0});
constexpr LoweringTraits lowering_traits::kCeil = Elementwise({2, 0});
constexpr LoweringTraits lowering_traits::kRoundNearestEven = Elementwise({4, 0});
constexpr LoweringTraits lowering_traits::kRoundNearestAfz = Elementwise({4, 0});
// The function takes a logarithm and a series near 0.
constexpr LoweringTraits lowering_traits::kLogPlusOne = Elementwise({12, 1});
// An exponential and a subtraction: fitted on elu and selu, which call it
// (validation/tpu-v4-vector.csv, 137 rows: 1.6 %; with a series 6 to 8 %).
constexpr LoweringTraits lowering_traits::kExpMinusOne = Elementwise({4, 1});
// Sine and cosine, and a division.
constexpr LoweringTraits lowering_traits::kTan = Elementwise({60, 1});
constexpr LoweringTraits lowering_traits::kCbrt = Elementwise({14, 2});
constexpr LoweringTraits lowering_traits::kIsFinite = Elementwise({2, 0});
constexpr LoweringTraits lowering_traits::kNot = Simplified(Elementwise(), SimplifyTwice);
constexpr LoweringTraits lowering_traits::kPopcnt = Elementwise({8, 0});
constexpr LoweringTraits lowering_traits::kClz = Elementwise({8, 0});
constexpr LoweringTraits lowering_traits::kReal = PartByPart();
constexpr LoweringTraits lowering_traits::kImag = PartByPart();
constexpr LoweringTraits lowering_traits::kConvert = Simplified(PartByPart(), SimplifyConvert);
// Masks the random bits, adds them, cuts the rest off.
constexpr LoweringTraits lowering_traits::kStochasticConvert =
    Simplified(Elementwise({3, 0}), SimplifyStochasticConvert);

}  // namespace tilewise
