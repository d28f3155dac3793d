// What Clang's declarations and statements say of their bodies.

#pragma once

#include <utility>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

namespace tilewise::cpp {

// The declaration itself, out of a template's.
inline const clang::Decl* Templated(const clang::Decl* decl) {
  const auto* made_of = llvm::dyn_cast<clang::TemplateDecl>(decl);
  return made_of == nullptr ? decl : made_of->getTemplatedDecl();
}

inline const clang::FunctionDecl* WithBody(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  return function->hasBody(definition) ? definition : nullptr;
}

// Whether Clang made the class of a template for arguments that the source gives.
inline bool IsInstance(const clang::CXXRecordDecl* record) {
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return made != nullptr && !made->isExplicitSpecialization();
}

// Whether a class has methods whose bodies another source has.
inline bool LacksBodies(const clang::CXXRecordDecl* record) {
  for (const clang::Decl* each : record->decls()) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(Templated(each));
    const bool has = method == nullptr || method->isImplicit() || method->isPureVirtual() ||
                     method->isDefaulted() || method->isDeleted() ||
                     llvm::isa<clang::CXXDestructorDecl>(method) || WithBody(method) != nullptr;
    if (!has) return true;
  }
  return false;
}

// Whether a method of a class has its body outside of it.
inline bool HasOuterBody(const clang::CXXRecordDecl* record) {
  for (const clang::Decl* each : record->decls()) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(Templated(each));
    const clang::FunctionDecl* body = method == nullptr ? nullptr : WithBody(method);
    if (body != nullptr && body != method) return true;
  }
  return false;
}

// Whether a `continue` of this loop's own is in the statement.
inline bool Continues(const clang::Stmt* stmt) {
  if (stmt == nullptr) return false;
  if (llvm::isa<clang::ContinueStmt>(stmt)) return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                clang::LambdaExpr>(stmt)) {
    return false;
  }
  for (const clang::Stmt* child : stmt->children()) {
    if (Continues(child)) return true;
  }
  return false;
}

// Whether a function gets the command line, as main() and what parses it for main() do.
inline bool TakesCommandLine(const clang::FunctionDecl& function) {
  if (function.isMain()) return true;
  if (function.getNumParams() < 2) return false;
  if (!function.getParamDecl(0)->getType()->isIntegerType()) return false;
  const clang::QualType words = function.getParamDecl(1)->getType();
  return words->isPointerType() && words->getPointeeType()->isPointerType() &&
         words->getPointeeType()->getPointeeType()->isCharType();
}

// The function whose number of arguments of the command line an expression looks at; null: it does
// not.
inline const clang::FunctionDecl* CountsArgumentsOf(const clang::Stmt* stmt) {
  if (stmt == nullptr) return nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl());
    const auto* function = parameter == nullptr
                               ? nullptr
                               : llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    const bool counts = function != nullptr && TakesCommandLine(*function);
    if (counts && parameter->getFunctionScopeIndex() == 0) return function;
  }
  for (const clang::Stmt* child : stmt->children()) {
    if (const clang::FunctionDecl* found = CountsArgumentsOf(child)) return found;
  }
  return nullptr;
}

// The owner and what it is to own, of `net.reset(new Net())`; null: another call.
inline std::pair<const clang::Expr*, const clang::Expr*> OwnerReset(const clang::Expr* e) {
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e->IgnoreParenImpCasts());
  const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
  if (method == nullptr || method->getIdentifier() == nullptr || method->getName() != "reset" ||
      call->getNumArgs() == 0 || llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(0))) {
    return {};
  }
  const llvm::StringRef owner = method->getParent()->getName();
  const bool owns = owner == "unique_ptr" || owner == "shared_ptr" || owner == "__shared_ptr";
  if (!owns) return {};
  return {call->getImplicitObjectArgument(), call->getArg(0)};
}

// Whether a branch ends with `return 1`, `exit(1)` or a throw, as a check does that fails; also in
// a function that it calls: `usage(argv[0]);`.
inline bool GivesUp(const clang::Stmt* stmt, const clang::ASTContext& context, int calls = 0) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
    return !block->body_empty() && GivesUp(block->body_back(), context, calls);
  }
  if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(stmt)) {
    return GivesUp(whole->getSubExpr(), context, calls);
  }
  if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
    clang::Expr::EvalResult value;
    const clang::Expr* given = result->getRetValue();
    return given != nullptr && !given->isValueDependent() && !given->containsErrors() &&
           given->EvaluateAsInt(value, context) && value.Val.getInt() != 0;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    constexpr int kMostCalls = 3;
    const clang::FunctionDecl* function = call->getDirectCallee();
    if (function == nullptr || function->getIdentifier() == nullptr) return false;
    const llvm::StringRef name = function->getName();
    if (name == "exit" || name == "_exit" || name == "abort") return true;
    function = WithBody(function);
    return function != nullptr && calls < kMostCalls &&
           !function->getReturnType()->isIntegerType() &&
           GivesUp(function->getBody(), context, calls + 1);
  }
  return llvm::isa<clang::CXXThrowExpr>(stmt);
}

// Whether a block ends with a `return`.
inline bool Returns(const clang::Stmt* stmt) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(stmt);
  if (block != nullptr) return !block->body_empty() && Returns(block->body_back());
  return llvm::isa<clang::ReturnStmt>(stmt);
}

// Whether the statement has a `return 0`, with which a program ends that did what it is for.
inline bool HasSuccess(const clang::Stmt* stmt, const clang::ASTContext& context) {
  if (stmt == nullptr || llvm::isa<clang::LambdaExpr>(stmt)) return false;
  if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
    return result->getRetValue() != nullptr && !GivesUp(result, context);
  }
  for (const clang::Stmt* child : stmt->children()) {
    if (HasSuccess(child, context)) return true;
  }
  return false;
}

}  // namespace tilewise::cpp
