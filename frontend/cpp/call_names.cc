// Rules find what a method does by the name of its class.

#include "frontend/cpp/call_names.h"

#include "frontend/cpp/library_calls.h"

namespace tilewise::cpp {
namespace {

bool IsTensor(const clang::Expr* expression) {
  const clang::NamedDecl* type = ClassOf(expression->getType());
  return type != nullptr && DottedName(*type) == "torch.Tensor";
}

std::string_view ComparisonOf(clang::OverloadedOperatorKind written) {
  switch (written) {
    case clang::OO_Greater:
      return "torch.gt";
    case clang::OO_GreaterEqual:
      return "torch.ge";
    case clang::OO_Less:
      return "torch.lt";
    case clang::OO_LessEqual:
      return "torch.le";
    case clang::OO_EqualEqual:
      return "torch.eq";
    case clang::OO_ExclaimEqual:
      return "torch.ne";
    default:
      return "";
  }
}

}  // namespace

std::string NameCall(const clang::Expr* callee, const Expressions& read, const ProjectFiles& files,
                     SourceCall& call) {
  const clang::Expr* written = callee->IgnoreParenImpCasts();
  const std::optional<MethodParts> method = MethodOf(written);
  if (!method) {
    std::string made = NameOfMade(written);
    return made.empty() ? read.NameOf(written) : made;
  }
  const std::string type = method->type == nullptr ? "" : DottedName(*method->type);
  if (method->object != nullptr) {
    call.receiver = read.TextOf(method->object);
    call.receiver_names = read.NamesIn(method->object);
  }
  if (IsOfLibrary(type) && !type.starts_with("torch.")) return type + "." + method->name;
  if (method->object == nullptr) return "self." + method->name;
  // `net->forward(x)` is what Python calls `net(x)`.
  const clang::NamedDecl* own = method->name == "forward" ? nullptr : method->declared_in;
  if (own != nullptr && files.Has(own->getLocation())) {
    return own->getNameAsString() + "." + method->name;
  }
  const std::string object = read.NameOf(method->object);
  return object + "." + method->name;
}

std::string_view FunctionOfOperator(const clang::CXXOperatorCallExpr& call) {
  if (call.getOperator() == clang::OO_LessLess) return IsTensor(call.getArg(1)) ? "print" : "";
  const bool any = IsTensor(call.getArg(0)) || IsTensor(call.getArg(1));
  return any ? ComparisonOf(call.getOperator()) : "";
}

}  // namespace tilewise::cpp
