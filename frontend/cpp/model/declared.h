// What Clang's declarations and statements say of their bodies.

#pragma once

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

}  // namespace tilewise::cpp
