// Clang keeps a call that it cannot resolve with its arguments and no conversion of them.

#include "frontend/cpp/unresolved_calls.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

namespace tilewise::cpp {
namespace {

using clang::Expr;
using clang::Stmt;

// Whether a function or a macro writes something out or checks it, by its name.
bool OnlyReads(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {
      "print", "println", "log", "check", "assert", "expect", "require", "format", "plot"};
  constexpr std::array<std::string_view, 9> kLevels = {
      "info", "debug", "warn", "warning", "error", "trace", "fatal", "critical", "write"};
  const std::string lower = llvm::StringRef(name).lower();
  const llvm::StringRef all = lower;
  return std::find(kLevels.begin(), kLevels.end(), std::string_view(lower)) != kLevels.end() ||
         std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
           return all.starts_with(word) || all.ends_with(word) ||
                  all.contains("_" + std::string(word) + "_");
         });
}

bool TakesByReference(clang::QualType parameter) {
  const bool names = parameter->isLValueReferenceType();
  return names && !parameter->getPointeeType().isConstQualified();
}

// Whether one of the functions among which Clang could not choose may set the argument.
bool OneMaySet(const clang::OverloadExpr& candidates, unsigned index) {
  return std::any_of(candidates.decls_begin(), candidates.decls_end(), [&](auto* each) {
    const clang::NamedDecl* named = each->getUnderlyingDecl();
    const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(named);
    const auto* function = pattern != nullptr ? pattern->getTemplatedDecl()
                                              : llvm::dyn_cast<clang::FunctionDecl>(named);
    return function != nullptr && index < function->getNumParams() &&
           TakesByReference(function->getParamDecl(index)->getType());
  });
}

std::string CalleeName(const Expr* callee) {
  if (const auto* any = llvm::dyn_cast<clang::OverloadExpr>(callee)) {
    return any->getName().getAsString();
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
    return member->getMember().getAsString();
  }
  if (const auto* scoped = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(callee)) {
    return scoped->getDeclName().getAsString();
  }
  return "";
}

bool IsVariable(const Expr* e) {
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl());
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  return name != nullptr && llvm::isa<clang::VarDecl>(name->getDecl());
}

void AddVariable(const Expr* argument, UnresolvedCall& call) {
  const Expr* e = argument->IgnoreParens();
  const clang::QualType type = e->getType();
  if (type.isNull() || type.isConstQualified() || !IsVariable(e)) return;
  call.may_set.push_back(e);
}

// `file >> n` of a stream that is not declared.
bool AddRead(const Stmt* stmt, UnresolvedCall& call) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(stmt);
  if (binary == nullptr || binary->getOpcode() != clang::BO_Shr) return false;
  if (!binary->getLHS()->containsErrors()) return false;
  call.name = "operator>>";
  AddVariable(binary->getRHS(), call);
  return true;
}

void AddArguments(const Expr* callee, llvm::ArrayRef<const Expr*> arguments, UnresolvedCall& call) {
  call.name = CalleeName(callee);
  const auto* candidates = llvm::dyn_cast<clang::OverloadExpr>(callee);
  const bool known = candidates != nullptr && candidates->getNumDecls() > 0;
  if (call.name.empty() || (!known && OnlyReads(call.name))) return;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (!known || OneMaySet(*candidates, i)) AddVariable(arguments[i], call);
  }
}

}  // namespace

UnresolvedCall UnresolvedCallOf(const Stmt* stmt) {
  UnresolvedCall call;
  const auto* e = llvm::dyn_cast_or_null<Expr>(stmt);
  if (e == nullptr || !e->containsErrors() || AddRead(stmt, call)) return call;
  if (const auto* lost = llvm::dyn_cast<clang::RecoveryExpr>(e)) {
    const std::vector<const Expr*> parts(lost->subExpressions().begin(),
                                         lost->subExpressions().end());
    if (parts.empty()) return call;
    if (const auto* list = llvm::dyn_cast<clang::ParenListExpr>(parts[0])) {
      // `Unknown value(a, b)`; the type is known where its constructor alone does not fit.
      if (!lost->getType()->isDependentType()) return call;
      for (unsigned i = 0; i < list->getNumExprs(); ++i) AddVariable(list->getExpr(i), call);
    } else {
      AddArguments(parts[0]->IgnoreParenImpCasts(), llvm::ArrayRef<const Expr*>(parts).drop_front(),
                   call);
    }
    return call;
  }
  const auto* called = llvm::dyn_cast<clang::CallExpr>(e);
  if (called == nullptr || called->getDirectCallee() != nullptr ||
      llvm::isa<clang::CXXOperatorCallExpr>(called)) {
    return call;
  }
  const Expr* callee = called->getCallee()->IgnoreParenImpCasts();
  if (!callee->containsErrors()) return call;
  AddArguments(callee, {called->getArgs(), called->getNumArgs()}, call);
  return call;
}

bool MayBeSetUnseen(const Stmt* stmt, const clang::ValueDecl* variable) {
  if (stmt == nullptr) return false;
  const UnresolvedCall call = UnresolvedCallOf(stmt);
  const bool sets = std::any_of(call.may_set.begin(), call.may_set.end(), [&](const Expr* each) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(each);
    return name != nullptr && name->getDecl() == variable;
  });
  return sets || std::any_of(stmt->child_begin(), stmt->child_end(),
                             [&](const Stmt* child) { return MayBeSetUnseen(child, variable); });
}

}  // namespace tilewise::cpp
