// A loop counts where its condition compares the variable that it starts and steps.

#include "frontend/cpp/counted_loops.h"

#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>

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
  const auto* moved = llvm::dyn_cast<clang::BinaryOperator>(step);
  if (moved == nullptr || !moved->isAssignmentOp() || VariableOf(moved->getLHS()) != variable) {
    return std::nullopt;
  }
  clang::BinaryOperatorKind kind = moved->getOpcode();
  const clang::Expr* by_how_much = moved->getRHS();
  if (kind == clang::BO_Assign) {
    // `i = i + 2` is `i += 2`.
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(Written(by_how_much));
    if (sum == nullptr || VariableOf(sum->getLHS()) != variable) return std::nullopt;
    kind = sum->getOpcode() == clang::BO_Add   ? clang::BO_AddAssign
           : sum->getOpcode() == clang::BO_Sub ? clang::BO_SubAssign
                                               : clang::BO_Assign;
    by_how_much = sum->getRHS();
  }
  const std::optional<int64_t> by = read.NumberOf(by_how_much);
  if (!by || *by <= 0) return std::nullopt;
  if (kind == clang::BO_AddAssign) return by;
  return kind == clang::BO_SubAssign ? std::optional(-*by) : std::nullopt;
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
  const clang::Expr* limit = compared->getRHS();
  clang::BinaryOperatorKind comparison = compared->getOpcode();
  const clang::ValueDecl* variable = VariableOf(compared->getLHS());
  if (variable == nullptr || StepOf(loop.getInc(), variable, read) == std::nullopt) {
    // `10 > i`
    variable = VariableOf(limit);
    limit = compared->getLHS();
    if (compared->isRelationalOp()) {
      comparison = clang::BinaryOperator::reverseComparisonOp(comparison);
    }
  }
  const clang::Expr* first = variable == nullptr ? nullptr : StartOf(loop.getInit(), variable);
  const std::optional<int64_t> step = StepOf(loop.getInc(), variable, read);
  if (first == nullptr || !step || loop.getBody() == nullptr) return std::nullopt;
  if (clang::ExprMutationAnalyzer(*loop.getBody(), read.context()).isMutated(variable)) {
    return std::nullopt;
  }
  const std::optional<int64_t> start = read.NumberOf(first);
  const std::optional<int64_t> end = read.NumberOf(limit);
  constexpr int64_t kMost = int64_t{1} << 40;
  const auto fits = [](int64_t value) { return value >= -kMost && value <= kMost; };
  if (!start || !end || !fits(*start) || !fits(*end) || !fits(*step)) return std::nullopt;
  switch (comparison) {
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

std::vector<std::string> CountersOf(const clang::ForStmt& loop) {
  std::vector<std::string> names;
  const auto* made = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  if (made == nullptr) return names;
  for (const clang::Decl* each : made->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    if (variable != nullptr) names.push_back(variable->getNameAsString());
  }
  return names;
}

bool RunsOnce(const clang::Stmt* loop) {
  const auto* after = llvm::dyn_cast<clang::DoStmt>(loop);
  if (after == nullptr) return false;
  const clang::Expr* condition = after->getCond()->IgnoreParenImpCasts();
  const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(condition);
  const auto* boolean = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(condition);
  return (number != nullptr && number->getValue() == 0) ||
         (boolean != nullptr && !boolean->getValue());
}

}  // namespace tilewise::cpp
