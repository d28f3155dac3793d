// The update rules of optimizers: which operands their ops have, and what they
// do to a variable and its slots.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "library/term.h"

namespace tilewise::tf {

// What an operand after the variables is.
enum class Role : uint8_t {
  kNone,
  kGradient,
  kIndices,
  kRate,
  kMomentum,  // also rho
  kRho,
  kEpsilon,
  kBeta1,
  kBeta2,
  kBeta1Power,
  kBeta2Power,
  kL1,
  kL2,
  kShrinkage,
  kRatePower,
  kStep,
  kBase,
  kDecay,
};
constexpr size_t kRoles = static_cast<size_t>(Role::kDecay) + 1;

// A variable (w), its slots, the gradient and the numbers of one update; the
// rule sets the new w and slots.
struct Update {
  Term w, g;
  std::array<Term, 3> slot;
  std::array<Term, kRoles> numbers;
  bool nesterov = false;

  Term Number(Role role) const { return numbers[static_cast<size_t>(role)]; }
};

using UpdateFormula = void (*)(Update& u);

struct UpdateRule {
  std::string_view name;  // after Apply
  int64_t slots;
  UpdateFormula formula;
  std::array<Role, 9> operands;  // after the variable and its slots
};

// The rule of an op such as "ResourceApplyAdam"; null: there is none.
const UpdateRule* FindUpdateRule(std::string_view op);

}  // namespace tilewise::tf
