// Calls of functions and methods.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/cpp/model/given.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Expr;

// Methods of LibTorch and of C++'s library that have another form in Python: the module
// _tilewise_cpp has a function `m_NAME` for each.
constexpr std::string_view kMethods[] = {
#define TW_CPP_METHOD(name) #name,
#include "frontend/cpp/model/methods.def"
#undef TW_CPP_METHOD
};

// Functions whose written types say what they make.
constexpr std::string_view kTyped[] = {"make_shared",          "make_unique",
                                       "make_data_loader",     "get",
                                       "dynamic_pointer_cast", "static_pointer_cast"};

// Pointers and owners are what they point to.
bool SeesThrough(const clang::OverloadedOperatorKind op, unsigned arguments) {
  return op == clang::OO_Arrow || (op == clang::OO_Star && arguments == 1) ||
         (op == clang::OO_Amp && arguments == 1);
}

// Whether an argument is what Python's function of the name takes: no options, types or devices.
bool IsPlain(const Expr* e) {
  e = e->IgnoreUnlessSpelledInSource();
  if (llvm::isa<clang::InitListExpr>(e)) return true;
  const clang::QualType type = e->getType();
  if (type.isNull() || type->isDependentType()) return false;
  if (type->isBooleanType() || type->isIntegerType() || type->isRealFloatingType()) {
    return !type->isEnumeralType();
  }
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && (record->getName() == "Tensor" || record->getName() == "ArrayRef");
}

// A view of a list, which one value converts to as well.
bool IsView(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr && record->getName() == "ArrayRef";
}

bool IsText(clang::QualType type) {
  const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr &&
         record->getName() == "basic_string";
}

// XLA's name of an element type of C++; empty: it has none.
std::string ElementType(clang::QualType type, const clang::ASTContext& context) {
  type = type.getCanonicalType();
  if (const auto* record = type->getAsCXXRecordDecl()) {
    const llvm::StringRef name = record->getIdentifier() == nullptr ? "" : record->getName();
    return name == "half" ? "F16" : name == "bfloat16" ? "BF16" : name == "complex" ? "C64" : "";
  }
  if (type->isBooleanType()) return "PRED";
  if (!type->isIntegerType() && !type->isRealFloatingType()) return {};
  const char* family = type->isRealFloatingType() ? "F" : type->isSignedIntegerType() ? "S" : "U";
  return fmt::format("{}{}", family, context.getTypeSize(type));
}

// ", kind='F32'" for a function of XLA that makes numbers of a template's first argument.
std::string KindArgument(const clang::FunctionDecl* function, const std::string& path,
                         const clang::ASTContext& context) {
  const std::string last = path.substr(path.rfind('.') + 1);
  constexpr std::string_view kMakers[] = {
      "ConstantR", "CreateR",    "ConstantFromArray",    "MakeShapeWithType",
      "FullLike",  "ScalarLike", "NativeToPrimitiveType"};
  const bool makes =
      path.starts_with("xla.") && function != nullptr &&
      std::ranges::any_of(kMakers, [&](std::string_view maker) { return last.starts_with(maker); });
  const clang::TemplateArgumentList* given =
      makes ? function->getTemplateSpecializationArgs() : nullptr;
  if (given == nullptr || given->size() == 0) return {};
  const clang::TemplateArgument& first = given->get(0);
  if (first.getKind() != clang::TemplateArgument::Type) return {};
  const std::string kind = ElementType(first.getAsType(), context);
  return kind.empty() ? "" : fmt::format("kind={}", Quoted(kind));
}

bool IsDefault(const Expr* e) { return llvm::isa<clang::CXXDefaultArgExpr>(e); }

}  // namespace

std::string Translator::Arguments(llvm::ArrayRef<const Expr*> arguments) {
  std::string text;
  for (const Expr* each : arguments) {
    if (IsDefault(each)) break;
    if (!text.empty()) text += ", ";
    const clang::SourceLocation at = each->getBeginLoc();
    const int32_t line = files_.Has(at) ? LineOf(at) : line_;
    const int32_t before = line_;
    if (line > line_) {
      text += LineMark(line);
      line_ = line;
    }
    text += Visit(each);
    line_ = std::max(line_, before);
  }
  return text;
}

// A number for `IntArrayRef shape` is a list of one: the program may ask how long it is.
std::string Translator::OwnArguments(const clang::FunctionDecl* function,
                                     llvm::ArrayRef<const Expr*> arguments) {
  std::string text;
  for (size_t i = 0; i < arguments.size() && !IsDefault(arguments[i]); ++i) {
    const std::string value = Arguments(arguments[i]);
    const bool lists = i < function->getNumParams() &&
                       IsView(function->getParamDecl(i)->getType()) &&
                       arguments[i]->IgnoreUnlessSpelledInSource()->getType()->isIntegerType();
    text += (text.empty() ? "" : ", ") + (lists ? "[" + value + "]" : value);
  }
  return text;
}

std::string Translator::LibraryCall(const std::string& callee,
                                    llvm::ArrayRef<const Expr*> arguments) {
  bool plain = true;
  for (const Expr* each : arguments) plain = plain && (IsDefault(each) || IsPlain(each));
  const std::string values = Arguments(arguments);
  if (plain) return fmt::format("{}({})", callee, values);
  return fmt::format("_cpp.call({}{}{})", callee, values.empty() ? "" : ", ", values);
}

std::string Translator::WrittenTypes(llvm::ArrayRef<clang::TemplateArgumentLoc> arguments) {
  std::string text;
  for (const clang::TemplateArgumentLoc& each : arguments) {
    std::string value;
    if (each.getArgument().getKind() == clang::TemplateArgument::Type) {
      value = TypeName(each.getArgument().getAsType());
    } else if (each.getArgument().getKind() == clang::TemplateArgument::Expression) {
      value = Visit(each.getSourceExpression());
    }
    if (value.empty()) value = "None";
    text += (text.empty() ? "" : ", ") + value;
  }
  return text;
}

std::string Translator::VisitCallExpr(const clang::CallExpr* e) {
  if (std::string beside = BesideInLoop(e); !beside.empty()) return beside;
  const Expr* callee = e->getCallee()->IgnoreParenImpCasts();
  const llvm::ArrayRef<const Expr*> arguments = {e->getArgs(), e->getNumArgs()};
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
    const Expr* base = member->isImplicitAccess() ? nullptr : member->getBase();
    return MethodCall(base, member->getMember().getAsString(), arguments,
                      WrittenTypes(member->template_arguments()), nullptr);
  }
  if (const auto* member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(callee)) {
    const Expr* base = member->isImplicitAccess() ? nullptr : member->getBase();
    return MethodCall(base, member->getMemberName().getAsString(), arguments,
                      WrittenTypes(member->template_arguments()), nullptr);
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee)) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
    if (method != nullptr && member->hasQualifier() && !method->isStatic()) {
      // `Base::forward(x)` is that of the base, whatever the object's class has.
      const std::string values = Arguments(arguments);
      return fmt::format("{}.{}({}{}{})", NameOf(method->getParent()), MethodName(method),
                         Visit(member->getBase()), values.empty() ? "" : ", ", values);
    }
    if (method != nullptr) {
      return MethodCall(member->isImplicitAccess() ? nullptr : member->getBase(),
                        method->getNameAsString(), arguments,
                        WrittenTypes(member->template_arguments()), method);
    }
  }
  if (const auto [object, name] = MissingMember(callee); object != nullptr) {
    if (std::ranges::find(kMethods, std::string_view(name)) != std::end(kMethods)) {
      return MethodCall(object, name, arguments, "", nullptr);
    }
  }
  const clang::FunctionDecl* function = e->getDirectCallee();
  std::string types;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
    types = WrittenTypes(name->template_arguments());
  } else if (const auto* lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee)) {
    types = WrittenTypes(lookup->template_arguments());
  }
  if (function != nullptr && SideOf(function) == Side::kUser) {
    std::string values = OwnArguments(function, arguments);
    const std::string templates = TemplateArguments(function);
    if (!templates.empty()) values += (values.empty() ? "" : ", ") + templates;
    return fmt::format("{}({})", Visit(callee), values);
  }
  const std::string path = Visit(callee);
  // Its arguments have errors, so that Clang leaves it open which one is called.
  const bool left_open = function == nullptr && IsOfProgram(callee);
  if (left_open) return fmt::format("{}({})", path, Arguments(arguments));
  const std::string last = path.substr(path.rfind('.') + 1);
  if (path == "std.move" || path == "std.forward" || path == "std.ref" || path == "std.cref") {
    return e->getNumArgs() == 1 ? Visit(e->getArg(0)) : Unfollowed(e);
  }
  if (function != nullptr && !e->isValueDependent() && !e->containsErrors() &&
      e->getType()->isArithmeticType()) {
    Expr::EvalResult result;
    if (e->EvaluateAsRValue(result, context_) && !result.HasSideEffects) {
      if (result.Val.isInt()) return llvm::toString(result.Val.getInt(), 10);
      if (result.Val.isFloat()) return FloatText(result.Val.getFloat().convertToDouble());
    }
  }
  if (!types.empty() && std::ranges::find(kTyped, std::string_view(last)) != std::end(kTyped)) {
    const std::string values = Arguments(arguments);
    return fmt::format("_cpp.t_{}(({},){}{})", last, types, values.empty() ? "" : ", ", values);
  }
  const bool reads = (last == "parse" || last == "Load") && !arguments.empty();
  const Expr* file = reads ? FileOf(arguments[0]) : nullptr;
  std::string call = file != nullptr ? fmt::format("{}_file({})", path, Value(file))
                                     : LibraryCall(path, arguments);
  if (const std::string kind = KindArgument(function, path, context_); !kind.empty()) {
    call.insert(call.size() - 1, call.ends_with("()") ? kind : ", " + kind);
  }
  return call;
}

std::string Translator::MethodCall(const Expr* base, const std::string& name,
                                   llvm::ArrayRef<const Expr*> arguments, const std::string& types,
                                   const clang::CXXMethodDecl* method) {
  std::string object = base == nullptr ? "self" : Visit(base);
  const bool own = base == nullptr || llvm::isa<clang::CXXThisExpr>(base->IgnoreParenImpCasts());
  const auto* conversion = llvm::dyn_cast_or_null<clang::CXXConversionDecl>(method);
  // A lambda as a pointer to a function is itself.
  if (conversion != nullptr && conversion->getParent()->isLambda()) return object;
  if (method != nullptr && SideOf(method) == Side::kUser) {
    const std::string called = MethodName(method);
    if (called == "forward" && !own) return fmt::format("{}({})", object, Arguments(arguments));
    if (method->isStatic()) {
      return fmt::format("{}.{}({})", NameOf(method->getParent()), called, Arguments(arguments));
    }
    return fmt::format("{}.{}({})", object, called, Arguments(arguments));
  }
  if (conversion != nullptr) {
    const bool tests = conversion->getConversionType()->isBooleanType();
    // Numbers and texts are taken from settings by conversions.
    if (!tests && HoldsSetting(conversion->getParent())) {
      const std::string kind = TypeName(conversion->getConversionType());
      return fmt::format("_cpp.m_as({}, {})", object, kind.empty() ? "None" : kind);
    }
    return tests ? fmt::format("({} is not None)", object) : object;
  }
  if (name == "forward") {
    return own ? fmt::format("self.forward({})", Arguments(arguments))
               : fmt::format("{}({})", object, Arguments(arguments));
  }
  const bool text = base != nullptr && IsText(base->IgnoreParenImpCasts()->getType());
  if (text && arguments.size() == 1 &&
      (name == "assign" || name == "append" || name == "push_back")) {
    const std::string other = fmt::format("_cpp.text({})", Visit(arguments[0]));
    const std::string made = name == "assign" ? other : fmt::format("({} + {})", object, other);
    // `path.append("a").append("b")` changes path; what no variable keeps is only a value.
    const Expr* root = base->IgnoreParenImpCasts();
    while (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(root)) {
      const clang::CXXMethodDecl* of = call->getMethodDecl();
      if (of == nullptr || of->getIdentifier() == nullptr || of->getName() != "append") break;
      root = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    }
    return root->isLValue() ? Updated(root, made, base) : made;
  }
  std::string values = Arguments(arguments);
  if (name == "emplace_back" && method != nullptr) {
    const std::string made = EmplacedIn(base->IgnoreParenImpCasts()->getType(), arguments);
    if (!made.empty()) return fmt::format("_cpp.m_push_back({}, {})", object, made);
  }
  if (name == "resize" && arguments.size() == 1 && method != nullptr) {
    values += ", " + ElementOf(base->IgnoreParenImpCasts()->getType());
  }
  const std::string more = values.empty() ? "" : ", " + values;
  if (std::ranges::find(kMethods, std::string_view(name)) != std::end(kMethods)) {
    const bool typed = name == "as" && !types.empty();
    return fmt::format("_cpp.m_{}({}{}{})", name, object, typed ? ", " + types : "", more);
  }
  const bool dependent = method == nullptr && base != nullptr && base->isTypeDependent();
  const bool plain = dependent || std::ranges::all_of(arguments, [](const Expr* each) {
                       return IsDefault(each) || IsPlain(each);
                     });
  if (plain) return fmt::format("{}.{}({})", object, name, values);
  return fmt::format("_cpp.call({}.{}{})", object, name, more);
}

std::string Translator::VisitCXXMemberCallExpr(const clang::CXXMemberCallExpr* e) {
  return VisitCallExpr(e);
}

// A call of an operator that the program defines for its own classes; empty: of another one.
std::string Translator::OwnOperator(const clang::CXXOperatorCallExpr* e) {
  const clang::FunctionDecl* function = e->getDirectCallee();
  if (function == nullptr || SideOf(function) == Side::kLibrary || function->isDefaulted() ||
      function->isDeleted()) {
    return {};
  }
  switch (e->getOperator()) {
    case clang::OO_Call:
    case clang::OO_Subscript:
    case clang::OO_Equal:
    case clang::OO_LessLess:
    case clang::OO_GreaterGreater:
      return {};
    default:
      break;
  }
  const llvm::ArrayRef<const Expr*> arguments = {e->getArgs(), e->getNumArgs()};
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method == nullptr) {
    return fmt::format("{}({})", NameOf(function), OwnArguments(function, arguments));
  }
  return fmt::format("{}.{}({})", Visit(arguments[0]), MethodName(method),
                     OwnArguments(function, arguments.drop_front()));
}

std::string Translator::VisitCXXOperatorCallExpr(const clang::CXXOperatorCallExpr* e) {
  const clang::OverloadedOperatorKind op = e->getOperator();
  const unsigned n = e->getNumArgs();
  const llvm::ArrayRef<const Expr*> arguments = {e->getArgs(), n};
  if (std::string beside = BesideInLoop(e); !beside.empty()) return beside;
  if (std::string own = OwnOperator(e); !own.empty()) return own;
  if (SeesThrough(op, n)) return Visit(e->getArg(0));
  switch (op) {
    case clang::OO_Call:
      return LibraryCall(Visit(e->getArg(0)), arguments.drop_front());
    case clang::OO_Subscript:
      return fmt::format("{}[{}]", Visit(e->getArg(0)), Arguments(arguments.drop_front()));
    case clang::OO_Exclaim:
      return fmt::format("(not {})", Visit(e->getArg(0)));
    case clang::OO_Equal:
      return Updated(e->getArg(0), Visit(e->getArg(1)), e);
    case clang::OO_PlusPlus:
    case clang::OO_MinusMinus:
      return Unfollowed(e);
    default:
      break;
  }
  if (n == 1) return fmt::format("({}{})", clang::getOperatorSpelling(op), Visit(e->getArg(0)));
  if (e->isAssignmentOp()) {
    const std::string sign = std::string(clang::getOperatorSpelling(op));
    return Updated(e->getArg(0),
                   fmt::format("{} {} {}", Visit(e->getArg(0)), sign.substr(0, sign.size() - 1),
                               Visit(e->getArg(1))),
                   e);
  }
  return Operation(op, e->getArg(0), e->getArg(1), e);
}

}  // namespace tilewise::cpp
