// Conditions that a program which is read, not run, answers by what they ask.

#include "frontend/cpp/model/conditions.h"

#include <string>

#include "frontend/cpp/model/given.h"

namespace tilewise::cpp {

using clang::Expr;

const clang::VarDecl* Named(const Expr* e) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

std::optional<bool> OpensFile(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(e)) {
    return OpensFile(whole->getSubExpr());
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const Expr* object = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    if (ReadStream(object) != nullptr) return true;
  }
  const auto negated = [](const Expr* inner) -> std::optional<bool> {
    const std::optional<bool> opens = OpensFile(inner);
    return opens ? std::optional(!*opens) : std::nullopt;
  };
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    return unary->getOpcode() == clang::UO_LNot ? negated(unary->getSubExpr()) : std::nullopt;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    return call->getOperator() == clang::OO_Exclaim ? negated(call->getArg(0)) : std::nullopt;
  }
  bool says = true;
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (method == nullptr) return std::nullopt;
    if (!llvm::isa<clang::CXXConversionDecl>(method)) {
      if (method->getIdentifier() == nullptr) return std::nullopt;
      const llvm::StringRef name = method->getName();
      if (name != "is_open" && name != "good" && name != "fail" && name != "bad") {
        return std::nullopt;
      }
      says = name == "is_open" || name == "good";
    }
    e = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
  }
  if (!llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(e)) return std::nullopt;
  const auto* record = e->getType()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr || !record->isInStdNamespace()) {
    return std::nullopt;
  }
  const llvm::StringRef name = record->getName();
  if (name != "basic_ifstream" && name != "basic_fstream" && name != "basic_ofstream") {
    return std::nullopt;
  }
  return says;
}

bool AsksForFlag(const Expr* e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    return binary->getOpcode() == clang::BO_LOr && AsksForFlag(binary->getLHS()) &&
           AsksForFlag(binary->getRHS());
  }
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
  const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
  if (method == nullptr || method->getIdentifier() == nullptr || method->getName() != "empty") {
    return false;
  }
  const clang::VarDecl* flag = Named(call->getImplicitObjectArgument());
  return flag != nullptr && flag->getName().starts_with("FLAGS_");
}

const clang::VarDecl* TrainingSwitch(const Expr* e) {
  const clang::VarDecl* variable = Named(e);
  if (variable == nullptr || !variable->getType().isConstQualified() ||
      !variable->getType()->isBooleanType() || variable->getInit() == nullptr) {
    return nullptr;
  }
  const auto* value =
      llvm::dyn_cast<clang::CXXBoolLiteralExpr>(variable->getInit()->IgnoreParenImpCasts());
  if (value == nullptr || value->getValue()) return nullptr;
  std::string word = variable->getName().lower();
  std::erase(word, '_');
  for (const llvm::StringRef start : {"k", "is", "do", "run"}) {
    if (llvm::StringRef(word).starts_with(start) && word.size() > start.size() + 4) {
      word = word.substr(start.size());
      break;
    }
  }
  return word == "train" || word == "training" ? variable : nullptr;
}

}  // namespace tilewise::cpp
