// Functions that neither the graph nor the vector unit has, from the op
// library: instructions of XLA, and custom calls with the names that CHLO has
// for them.

#include <algorithm>

#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/ops.h"
#include "frontend/hlo/written.h"
#include "library/elementary.h"

namespace tilewise::hlo {
namespace {

struct Function {
  Opcode opcode;  // kCustomCall: by name
  std::string_view target;
  OpId (*make)(GraphBuilder&, OpId);
};

constexpr Function kFunctions[] = {
    {Opcode::kAcos, "chlo.acos", Acos},
    {Opcode::kAcosh, "chlo.acosh", Acosh},
    {Opcode::kAsin, "chlo.asin", Asin},
    {Opcode::kAsinh, "chlo.asinh", Asinh},
    {Opcode::kAtan, "chlo.atan", Atan},
    {Opcode::kAtanh, "chlo.atanh", Atanh},
    {Opcode::kCosh, "chlo.cosh", Cosh},
    {Opcode::kCustomCall, "chlo.conj", Conjugate},
    {Opcode::kCustomCall, "chlo.erf_inv", Erfinv},
    {Opcode::kCustomCall, "chlo.erfc", Erfc},
    {Opcode::kCustomCall, "chlo.is_inf", IsInf},
    {Opcode::kCustomCall, "chlo.is_neg_inf", IsNegInf},
    {Opcode::kCustomCall, "chlo.is_pos_inf", IsPosInf},
    {Opcode::kCustomCall, "chlo.square", Square},
    {Opcode::kSinh, "chlo.sinh", Sinh},
};

const Function* Find(const Instruction& instruction) {
  const bool by_name = instruction.opcode == Opcode::kCustomCall;
  for (const Function& function : kFunctions) {
    if (by_name ? function.target == instruction.more().custom_call_target
                : function.opcode == instruction.opcode) {
      return &function;
    }
  }
  return nullptr;
}

}  // namespace

bool IsFunction(std::string_view target) {
  return std::ranges::find(kFunctions, target, &Function::target) != std::end(kFunctions);
}

Value TranslateFunction(Translation& t, const Site& site) {
  const Function* function = Find(site.instruction);
  return FirstOf(Written(
      t, site, function != nullptr ? 1 : 2, [&](GraphBuilder& b, const Operands& x) -> Operands {
        return {function != nullptr ? function->make(b, x[0]) : UpperProduct(b, x[0], x[1])};
      }));
}

}  // namespace tilewise::hlo
