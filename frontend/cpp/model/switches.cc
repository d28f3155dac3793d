// `switch` as a chain of `if`.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Expr;
using clang::Stmt;

// What a `switch` does for some values, to the next label.
struct SwitchPart {
  clang::SourceLocation place;
  std::vector<const Expr*> values;
  bool is_default = false;
  std::vector<const Stmt*> statements;  // without the `break` at its end
  bool ends = false;                    // else it falls into the next part
};

std::vector<SwitchPart> PartsOf(const clang::CompoundStmt* body) {
  std::vector<SwitchPart> parts;
  for (const Stmt* each : body->body()) {
    if (llvm::isa<clang::SwitchCase>(each)) {
      if (parts.empty() || !parts.back().statements.empty() || parts.back().ends) {
        parts.emplace_back().place = each->getBeginLoc();
      }
      while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(each)) {
        const auto* one = llvm::dyn_cast<clang::CaseStmt>(label);
        if (one == nullptr) parts.back().is_default = true;
        if (one != nullptr) parts.back().values.push_back(one->getLHS());
        each = label->getSubStmt();
      }
    }
    if (parts.empty() || parts.back().ends) continue;  // before a label: never reached
    std::vector<const Stmt*>& to = parts.back().statements;
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(each)) {
      to.insert(to.end(), block->body_begin(), block->body_end());
    } else {
      to.push_back(each);
    }
    if (to.empty()) continue;
    const Stmt* last = to.back();
    if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(last))
      last = whole->getSubExpr();
    parts.back().ends =
        llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt, clang::CXXThrowExpr>(
            last);
    if (llvm::isa<clang::BreakStmt>(last)) to.pop_back();
  }
  return parts;
}

// Whether a `break` in the statement leaves the switch around it.
bool BreaksSwitch(const Stmt* stmt) {
  if (stmt == nullptr) return false;
  if (llvm::isa<clang::BreakStmt>(stmt)) return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                clang::SwitchStmt, clang::LambdaExpr>(stmt)) {
    return false;
  }
  return std::ranges::any_of(stmt->children(), BreaksSwitch);
}

}  // namespace

// A chain of `if` over the value. What falls into the next case is written again there, and the
// default comes last, wherever it stands.
void Translator::WriteSwitch(const clang::SwitchStmt* stmt) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(stmt->getBody());
  if (body == nullptr || stmt->getInit() != nullptr) return Say(stmt, Unfollowed(stmt));
  std::vector<SwitchPart> parts = PartsOf(body);
  const bool leaves = std::ranges::any_of(parts, [](const SwitchPart& part) {
    return std::ranges::any_of(part.statements, BreaksSwitch);
  });
  // A `break` within a part leaves a loop of one round, which a `continue` must not meet.
  if (leaves && Continues(body)) return Say(stmt, Unfollowed(stmt));
  const std::string value = fmt::format("_case_{}", ++lambdas_);
  Say(stmt, fmt::format("{} = {}", value, Visit(stmt->getCond())));
  WriteGiven(stmt->getCond());
  if (leaves) {
    Say(stmt, "for _ in range(1):");
    writer_.Indent();
  }
  // Cases of characters are numbers to Clang.
  const bool characters = stmt->getCond()->IgnoreParenImpCasts()->getType()->isAnyCharacterType();
  bool any = false;
  const auto write = [&](size_t i) {
    std::string test;
    for (const Expr* each : parts[i].values) {
      test += (test.empty() ? "" : " or ") + value +
              " == " + Visit(characters ? each->IgnoreParenImpCasts() : each);
    }
    if (parts[i].is_default) test = any ? "else:" : "if True:";
    if (!parts[i].is_default) test = fmt::format("{} {}:", any ? "elif" : "if", test);
    any = true;
    writer_.Line(LineOf(parts[i].place), test);
    scopes_.emplace_back();
    writer_.Indent();
    writer_.Line(LineOf(parts[i].place), "pass");
    for (size_t k = i; k < parts.size(); ++k) {
      WriteStatements(parts[k].statements);
      if (parts[k].ends) break;
    }
    writer_.Dedent();
    scopes_.pop_back();
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_default) write(i);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_default) write(i);
  }
  if (!leaves) return;
  if (!any) Say(stmt, "pass");
  writer_.Dedent();
}

}  // namespace tilewise::cpp
