// Statements that give variables, elements and parts of tensors new values.

#include <string_view>

#include <fmt/format.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {

using clang::Expr;

// What is assigned to: `list.at(i)` is an element.
std::string Translator::Target(const Expr* e) {
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e->IgnoreParenImpCasts());
  const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
  const bool is_element = method != nullptr && method->getIdentifier() != nullptr &&
                          method->getName() == "at" && call->getNumArgs() == 1 &&
                          SideOf(method) == Side::kLibrary;
  if (!is_element) return Visit(e);
  return fmt::format("{}[{}]", Visit(call->getImplicitObjectArgument()), Visit(call->getArg(0)));
}

// `options.stride() = 2` of LibTorch's options, which give a reference to what they hold.
bool Translator::WriteOption(const Expr* target, const Expr* value) {
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(target->IgnoreParenImpCasts());
  const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
  const bool sets = method != nullptr && call->getNumArgs() == 0 &&
                    method->getIdentifier() != nullptr && SideOf(method) == Side::kLibrary &&
                    method->getParent()->getName().ends_with("Options");
  if (!sets) return false;
  Say(target, fmt::format("_cpp.set_option({}, {}, {})", Visit(call->getImplicitObjectArgument()),
                          Quoted(method->getNameAsString()), Visit(value)));
  return true;
}

// `x.slice(0, 2, 4) = y`: what methods of a tensor give is a part of it.
bool Translator::WritePart(const Expr* target, const std::string& value) {
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(target->IgnoreParenImpCasts());
  const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
  const bool is_part = method != nullptr && method->getIdentifier() != nullptr &&
                       SideOf(method) == Side::kLibrary &&
                       method->getParent()->getName().starts_with("Tensor");
  if (!is_part) return false;
  const std::string arguments = Arguments({call->getArgs(), call->getNumArgs()});
  Say(target,
      fmt::format("_cpp.put_part({}, {}, ({}{}), {})", Visit(call->getImplicitObjectArgument()),
                  Quoted(method->getNameAsString()), arguments, arguments.empty() ? "" : ",",
                  value));
  return true;
}

// An assignment or a step that stands as a statement.
bool Translator::WriteAssignment(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(e)) {
    return WriteAssignment(whole->getSubExpr());
  }
  const auto step = [&](const Expr* target, const char* sign) {
    const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(target->IgnoreParenImpCasts());
    if (choice != nullptr) {
      // `(spam ? a : b)++`
      Say(e, fmt::format("if {}:", Condition(choice->getCond())));
      for (const Expr* each : {choice->getTrueExpr(), choice->getFalseExpr()}) {
        if (each == choice->getFalseExpr()) Say(e, "else:");
        writer_.Indent();
        const std::string name = Target(each);
        Say(e, name.ends_with(")") ? Unfollowed(e) : fmt::format("{} {}= 1", name, sign));
        writer_.Dedent();
      }
      return true;
    }
    const std::string name = Target(target);
    Say(e, name.ends_with(")") ? Unfollowed(e) : fmt::format("{} {}= 1", name, sign));
    return true;
  };
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (!unary->isIncrementDecrementOp()) return false;
    return step(unary->getSubExpr(), unary->isIncrementOp() ? "+" : "-");
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    // `total += other` of the program's own classes changes the object.
    if (const std::string own = OwnOperator(call); !own.empty()) {
      Say(e, own);
      return true;
    }
  }
  auto [left, right] = OwnerReset(e);
  std::string op = left == nullptr ? "" : "=";
  if (left != nullptr) {
    if (Visit(left).ends_with(")")) return false;
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (!binary->isAssignmentOp()) return false;
    left = binary->getLHS();
    right = binary->getRHS();
    op = binary->getOpcodeStr().str();
  } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    if (call->getOperator() == clang::OO_PlusPlus) return step(call->getArg(0), "+");
    if (call->getOperator() == clang::OO_MinusMinus) return step(call->getArg(0), "-");
    if (!call->isAssignmentOp() || call->getNumArgs() != 2) return false;
    left = call->getArg(0);
    right = call->getArg(1);
    op = clang::getOperatorSpelling(call->getOperator());
  } else {
    return false;
  }
  if (op == "=" && WriteOption(left, right)) return true;
  std::string target = Target(left);
  // std::tie(a, b) = f();
  if (constexpr std::string_view kTie = "_cpp.call(std.tie, "; target.starts_with(kTie)) {
    target = "(" + target.substr(kTie.size());
  } else if (constexpr std::string_view kGet = "_cpp.t_get(("; target.starts_with(kGet)) {
    // std::get<0>(pair) = f();
    const size_t end = target.find(",), ");
    if (end == std::string::npos) return false;
    const std::string holder = target.substr(end + 4, target.size() - end - 5);
    target = fmt::format("{}[{}]", holder, target.substr(kGet.size(), end - kGet.size()));
  } else if (target.starts_with("std.tie(")) {
    target = target.substr(std::string_view("std.tie").size());
  } else if (target.starts_with("_cpp.") || target.ends_with(")")) {
    const std::string value =
        op == "=" ? Visit(right)
                  : fmt::format("{} {} {}", target, op.substr(0, op.size() - 1), Visit(right));
    if (WritePart(left, value)) return true;
    // What a call gives is no name of Python's.
    Say(e, target.starts_with("_cpp.unfollowed") ? target : Unfollowed(e));
    return true;
  }
  if (op == "=") {
    const std::string value = Value(right);
    Say(e, fmt::format("{} = {}", target, value));
    return true;
  }
  if (op == "/=" || op == "%=") {
    Say(e, fmt::format("{0} = _cpp.{2}({0}, {1})", target, Visit(right),
                       op == "/=" ? "over" : "rest"));
  } else {
    Say(e, fmt::format("{} {} {}", target, op, Visit(right)));
  }
  return true;
}

}  // namespace tilewise::cpp
