// A switch becomes conditions one after the other. A case that falls into the next one has that
// one's statements behind its own.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Stmt;

// The statements behind one or more labels.
struct Case {
  std::vector<const clang::Expr*> values;
  bool is_default = false;
  std::vector<const Stmt*> statements;
};

bool Ends(const Stmt* stmt) {
  if (llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt, clang::CXXThrowExpr>(
          stmt)) {
    return true;
  }
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt);
  return block != nullptr && !block->body_empty() && Ends(block->body_back());
}

// Whether a `break` of this switch's own is in the statement.
bool Breaks(const Stmt* stmt) {
  if (stmt == nullptr) return false;
  if (llvm::isa<clang::BreakStmt>(stmt)) return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                clang::SwitchStmt, clang::LambdaExpr>(stmt)) {
    return false;
  }
  return std::any_of(stmt->child_begin(), stmt->child_end(), Breaks);
}

// Up to where the case ends, and without the `break` there.
void Add(const Stmt* stmt, std::vector<const Stmt*>& to) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
    for (const Stmt* each : block->body()) Add(each, to);
  } else {
    to.push_back(stmt);
  }
}

std::vector<Case> CasesOf(const clang::CompoundStmt* body) {
  std::vector<Case> cases;
  for (const Stmt* each : body->body()) {
    const bool opens = llvm::isa<clang::SwitchCase>(each);
    if (opens && (cases.empty() || !cases.back().statements.empty())) cases.emplace_back();
    if (cases.empty()) continue;  // no label leads there
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(each)) {
      const auto* one = llvm::dyn_cast<clang::CaseStmt>(label);
      if (one != nullptr) cases.back().values.push_back(one->getLHS());
      cases.back().is_default = cases.back().is_default || one == nullptr;
      each = label->getSubStmt();
    }
    Add(each, cases.back().statements);
  }
  return cases;
}

// What runs from the case on. `inner`: a `break` stands within one of the statements.
std::vector<const Stmt*> RunFrom(const std::vector<Case>& cases, size_t first, bool& inner) {
  std::vector<const Stmt*> run;
  for (size_t i = first; i < cases.size(); ++i) {
    for (const Stmt* each : cases[i].statements) {
      if (llvm::isa<clang::BreakStmt>(each)) return run;
      inner = inner || Breaks(each);
      run.push_back(each);
      if (Ends(each)) return run;
    }
  }
  return run;
}

}  // namespace

void Translator::WriteSwitch(const clang::SwitchStmt* stmt) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(stmt->getBody());
  if (body == nullptr || stmt->getInit() != nullptr) return Say(stmt, Unfollowed(stmt));
  std::vector<Case> cases = CasesOf(body);
  std::vector<std::vector<const Stmt*>> runs;
  bool inner = false;
  for (size_t i = 0; i < cases.size(); ++i) runs.push_back(RunFrom(cases, i, inner));
  // A loop of one round is left by `break`, and would take a `continue` for its own.
  if (inner && Continues(body)) return Say(stmt, Unfollowed(stmt));
  const std::string value = fmt::format("_case_{}", ++lambdas_);
  Say(stmt, fmt::format("{} = {}", value, Visit(stmt->getCond())));
  if (inner) {
    Say(stmt, "while True:");
    writer_.Indent();
  }
  bool any = false;
  const auto write = [&](size_t i, const std::string& test) {
    const int32_t line = LineOf((runs[i].empty() ? stmt : runs[i][0])->getBeginLoc());
    writer_.Line(line, test.empty() ? (any ? "else:" : "if True:")
                                    : fmt::format("{} {}:", any ? "elif" : "if", test));
    any = true;
    scopes_.emplace_back();
    writer_.Indent();
    writer_.Line(line, "pass");
    WriteStatements(runs[i]);
    writer_.Dedent();
    scopes_.pop_back();
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].is_default) continue;
    std::string test;
    for (const clang::Expr* each : cases[i].values) {
      test += (test.empty() ? "" : " or ") + value + " == " + Visit(each);
    }
    write(i, test);
  }
  // Wherever it stands, the default is taken last.
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].is_default) write(i, "");
  }
  if (!inner) return;
  Say(stmt, "break");
  writer_.Dedent();
}

}  // namespace tilewise::cpp
