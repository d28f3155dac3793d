// A loop counts where its condition compares the variable that it starts and steps.

#include "frontend/cpp/counted_loops.h"

#include <clang/AST/ExprCXX.h>

namespace tilewise::cpp {
namespace {

const clang::ValueDecl* VariableOf(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(Written(expression));
  return name == nullptr ? nullptr : name->getDecl();
}

// The value that the loop starts `variable` with; null: it starts something else.
const clang::Expr* StartOf(const clang::Stmt* init, const clang::ValueDecl* variable) {
  if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(init)) {
    for (const clang::Decl* each : declared->decls()) {
      const auto* made = llvm::dyn_cast<clang::VarDecl>(each);
      if (made == variable && made->hasInit()) return made->getInit();
    }
  }
  const auto* assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(init);
  const bool starts = assigned != nullptr && assigned->getOpcode() == clang::BO_Assign &&
                      VariableOf(assigned->getLHS()) == variable;
  return starts ? assigned->getRHS() : nullptr;
}

// By how much each round moves `variable`; nothing: by something else.
std::optional<int64_t> StepOf(const clang::Expr* step, const clang::ValueDecl* variable,
                              const Expressions& read) {
  if (step == nullptr) return std::nullopt;
  step = step->IgnoreParenImpCasts();
  if (const auto* counted = llvm::dyn_cast<clang::UnaryOperator>(step)) {
    if (!counted->isIncrementDecrementOp() || VariableOf(counted->getSubExpr()) != variable) {
      return std::nullopt;
    }
    return counted->isIncrementOp() ? 1 : -1;
  }
  const auto* added = llvm::dyn_cast<clang::CompoundAssignOperator>(step);
  if (added == nullptr || VariableOf(added->getLHS()) != variable) return std::nullopt;
  const std::optional<int64_t> by = read.NumberOf(added->getRHS());
  if (!by || *by <= 0) return std::nullopt;
  if (added->getOpcode() == clang::BO_AddAssign) return by;
  return added->getOpcode() == clang::BO_SubAssign ? std::optional(-*by) : std::nullopt;
}

// Rounds from `start` to `end`, which is left out, by `step`.
std::optional<int64_t> Rounds(int64_t start, int64_t end, int64_t step) {
  const int64_t distance = step > 0 ? end - start : start - end;
  if (distance <= 0) return 0;
  const int64_t by = std::abs(step);
  return (distance + by - 1) / by;
}

}  // namespace

std::optional<int64_t> RoundsOf(const clang::ForStmt& loop, const Expressions& read) {
  const auto* compared = llvm::dyn_cast_or_null<clang::BinaryOperator>(
      loop.getCond() == nullptr ? nullptr : loop.getCond()->IgnoreParenImpCasts());
  if (compared == nullptr || !compared->isComparisonOp()) return std::nullopt;
  const clang::ValueDecl* variable = VariableOf(compared->getLHS());
  const clang::Expr* first = variable == nullptr ? nullptr : StartOf(loop.getInit(), variable);
  const std::optional<int64_t> step = StepOf(loop.getInc(), variable, read);
  if (first == nullptr || !step) return std::nullopt;
  const std::optional<int64_t> start = read.NumberOf(first);
  const std::optional<int64_t> end = read.NumberOf(compared->getRHS());
  constexpr int64_t kMost = int64_t{1} << 40;
  const auto fits = [](int64_t value) { return value >= -kMost && value <= kMost; };
  if (!start || !end || !fits(*start) || !fits(*end) || !fits(*step)) return std::nullopt;
  switch (compared->getOpcode()) {
    case clang::BO_LT:
      return *step > 0 ? Rounds(*start, *end, *step) : std::nullopt;
    case clang::BO_LE:
      return *step > 0 ? Rounds(*start, *end + 1, *step) : std::nullopt;
    case clang::BO_GT:
      return *step < 0 ? Rounds(*start, *end, *step) : std::nullopt;
    case clang::BO_GE:
      return *step < 0 ? Rounds(*start, *end - 1, *step) : std::nullopt;
    case clang::BO_NE:
      return std::abs(*step) == 1 ? Rounds(*start, *end, *step) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace tilewise::cpp
