// Elementwise instructions, most of which the graph has under the same name.

#include <array>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

struct Pair {
  Opcode opcode;
  OpKind kind;
};

constexpr auto kSame = std::to_array<Pair>({
    {Opcode::kAbs, OpKind::kAbs},
    {Opcode::kAdd, OpKind::kAdd},
    {Opcode::kAnd, OpKind::kAnd},
    {Opcode::kAtan2, OpKind::kAtan2},
    {Opcode::kCbrt, OpKind::kCbrt},
    {Opcode::kCeil, OpKind::kCeil},
    {Opcode::kComplex, OpKind::kComplex},
    {Opcode::kCosine, OpKind::kCosine},
    {Opcode::kCountLeadingZeros, OpKind::kClz},
    {Opcode::kDivide, OpKind::kDivide},
    {Opcode::kErf, OpKind::kErf},
    {Opcode::kExponential, OpKind::kExp},
    {Opcode::kExponentialMinusOne, OpKind::kExpMinusOne},
    {Opcode::kFloor, OpKind::kFloor},
    {Opcode::kImag, OpKind::kImag},
    {Opcode::kIsFinite, OpKind::kIsFinite},
    {Opcode::kLog, OpKind::kLog},
    {Opcode::kLogPlusOne, OpKind::kLogPlusOne},
    {Opcode::kLogistic, OpKind::kLogistic},
    {Opcode::kMaximum, OpKind::kMaximum},
    {Opcode::kMinimum, OpKind::kMinimum},
    {Opcode::kMultiply, OpKind::kMultiply},
    {Opcode::kNegate, OpKind::kNegate},
    {Opcode::kNot, OpKind::kNot},
    {Opcode::kOr, OpKind::kOr},
    {Opcode::kPopcnt, OpKind::kPopcnt},
    {Opcode::kPower, OpKind::kPower},
    {Opcode::kReal, OpKind::kReal},
    {Opcode::kRemainder, OpKind::kRemainder},
    {Opcode::kRoundNearestAfz, OpKind::kRoundNearestAfz},
    {Opcode::kRoundNearestEven, OpKind::kRoundNearestEven},
    {Opcode::kRsqrt, OpKind::kRsqrt},
    {Opcode::kShiftLeft, OpKind::kShiftLeft},
    {Opcode::kShiftRightArithmetic, OpKind::kShiftRightArithmetic},
    {Opcode::kShiftRightLogical, OpKind::kShiftRightLogical},
    {Opcode::kSign, OpKind::kSign},
    {Opcode::kSine, OpKind::kSine},
    {Opcode::kSqrt, OpKind::kSqrt},
    {Opcode::kSubtract, OpKind::kSubtract},
    {Opcode::kTan, OpKind::kTan},
    {Opcode::kTanh, OpKind::kTanh},
    {Opcode::kXor, OpKind::kXor},
});

constexpr auto kSameKinds = [] {
  std::array<OpKind, static_cast<size_t>(Opcode::kUnknown) + 1> table{};
  for (const Pair& pair : kSame) {
    table[static_cast<size_t>(pair.opcode)] = pair.kind;
  }
  return table;
}();

OpKind SameKind(Opcode opcode) { return kSameKinds[static_cast<size_t>(opcode)]; }

}  // namespace

Value TranslateUnary(Translation& t, const Site& site) {
  const OpKind kind = SameKind(site.instruction.opcode);
  const OpId x = site.operand(0);
  // The parts of a number that is not complex.
  const bool is_part = kind == OpKind::kReal || kind == OpKind::kImag;
  if (is_part && x != kNoOp && !IsComplex(t.emit().shape(x).dtype)) {
    return kind == OpKind::kReal ? x : t.emit().Constant(0, t.emit().shape(x));
  }
  return t.emit().Unary(kind, x);
}

Value TranslateBinary(Translation& t, const Site& site) {
  return BinaryOf(t.emit(), SameKind(site.instruction.opcode), site.operand(0), site.operand(1));
}

Value TranslateCompare(Translation& t, const Site& site) {
  return CompareOf(t.emit(), site.instruction.comparison, site.operand(0), site.operand(1));
}

Value TranslateSelect(Translation& t, const Site& site) {
  // A scalar may choose between tuples.
  if (site.operands.size() == 3 && site.operands[1].is_tuple()) {
    std::vector<Value> elements;
    for (size_t i = 0;
         i < site.operands[1].elements().size() && i < site.operands[2].elements().size(); ++i) {
      elements.emplace_back(SelectOf(t.emit(), site.operand(0), site.operands[1].elements()[i].op(),
                                     site.operands[2].elements()[i].op()));
    }
    return Value::Tuple(std::move(elements));
  }
  return SelectOf(t.emit(), site.operand(0), site.operand(1), site.operand(2));
}

Value TranslateClamp(Translation& t, const Site& site) {
  const OpId low = BinaryOf(t.emit(), OpKind::kMaximum, site.operand(1), site.operand(0));
  return BinaryOf(t.emit(), OpKind::kMinimum, low, site.operand(2));
}

Value TranslateConvert(Translation& t, const Site& site) {
  return t.emit().Convert(site.operand(0), site.shape.dtype);
}

Value TranslateStochasticConvert(Translation& t, const Site& site) {
  const Shape type = {site.shape.dtype, {}};
  return t.emit().Add(OpKind::kStochasticConvert, {site.operand(0), site.operand(1)}, {}, type);
}

// Converts through a type with that exponent and mantissa, or the next one that
// has as few bits; that is the same work as the bit operations it is otherwise.
Value TranslateReducePrecision(Translation& t, const Site& site) {
  const InstructionExtras& more = site.more();
  const OpId x = site.operand(0);
  if (x == kNoOp) return t.emit().Convert(x, DType::kF32);
  const DType dtype = t.emit().shape(x).dtype;
  DType narrow = DType::kBF16;
  if (more.mantissa_bits >= 23) narrow = DType::kF32;
  if (more.exponent_bits == 5 && more.mantissa_bits <= 10) narrow = DType::kF16;
  if (more.exponent_bits <= 5 && more.mantissa_bits <= 3) {
    narrow = more.mantissa_bits == 3 ? DType::kF8E4M3 : DType::kF8E5M2;
  }
  return t.emit().Convert(t.emit().Convert(x, narrow), dtype);
}

Value TranslateMap(Translation& t, const Site& site) {
  const Computation* callee = t.Callee(site, 0);
  if (callee == nullptr) return {};
  return t.InlineMapped(*callee, site.operands, site.shape.dims);
}

}  // namespace tilewise::hlo
