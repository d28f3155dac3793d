// Random numbers, Fourier transforms, rounding to fewer bits, and solvers.

#include <charconv>
#include <utility>

#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::Instruction;
using hlo::Opcode;

// The word that an attribute is, in the pretty or the generic form.
std::string_view WordOf(const Operation& op, std::initializer_list<std::string_view> names) {
  const Attribute* attribute = op.FindAny(names);
  return attribute == nullptr ? std::string_view() : LastWord(attribute->text);
}

}  // namespace

// rng %a, %b, %shape, distribution = UNIFORM
absl::Status LowerRng(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction rng, body.OnOperands(op, Opcode::kRng));
  rng.shape = body.ResultShape(op);
  const std::string_view word =
      NameOf(op.name) == "rng_normal" ? "NORMAL" : WordOf(op, {"distribution", "rng_distribution"});
  rng.Extras().distribution = word == "NORMAL" ? "rng_normal" : "rng_uniform";
  if (rng.operands.size() > 2) {
    TakeSizes(body, rng.operands[2], rng.shape);
    rng.operands.resize(2);
  }
  return body.Alias(op, body.Add(op, std::move(rng)));
}

absl::Status LowerRngBitGenerator(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction rng, body.OnOperands(op, Opcode::kRngBitGenerator));
  const std::string_view word = WordOf(op, {"algorithm", "rng_algorithm"});
  rng.Extras().algorithm = word == "PHILOX"      ? "rng_philox"
                           : word == "THREE_FRY" ? "rng_three_fry"
                                                 : "rng_default";
  return body.Finish(op, std::move(rng));
}

// fft %x, type = RFFT, length = [16]
absl::Status LowerFft(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction fft, body.OnOperands(op, Opcode::kFft));
  fft.Extras().fft->type = WordOf(op, {"type", "fft_type"});
  fft.Extras().fft->length = IntegersOf(body, op, {"length", "fft_length"});
  return body.Finish(op, std::move(fft));
}

// reduce_precision %x, format = e5m10
absl::Status LowerReducePrecision(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction reduce, body.OnOperands(op, Opcode::kReducePrecision));
  hlo::InstructionExtras& extras = reduce.Extras();
  extras.exponent_bits = IntegerOr(op, {"exponent_bits"}, 0);
  extras.mantissa_bits = IntegerOr(op, {"mantissa_bits"}, 0);
  if (const Attribute* format = op.Find("format")) {
    const std::string_view text = format->text;
    const size_t m = text.find('m');
    const char* end = text.data() + text.size();
    if (text.size() > 1 && m != std::string_view::npos) {
      std::from_chars(text.data() + 1, end, extras.exponent_bits);
      std::from_chars(text.data() + m + 1, end, extras.mantissa_bits);
    }
  }
  return body.Finish(op, std::move(reduce));
}

}  // namespace tilewise::mlir
