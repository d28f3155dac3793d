// What the names of a C++ source are called in Python.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Decl;
using clang::NamedDecl;
using clang::QualType;

// Words that Python keeps, and names that the text itself uses.
constexpr std::array<std::string_view, 42> kTaken = {
    "False", "None",  "True",   "and",      "as",   "assert",  "async", "await",  "class",
    "def",   "del",   "elif",   "except",   "exec", "finally", "from",  "global", "import",
    "in",    "is",    "lambda", "nonlocal", "not",  "or",      "pass",  "raise",  "with",
    "yield", "print", "_cpp",   "torch",    "xla",  "std",     "self",  "range",  "int",
    "float", "bool",  "str",    "match",    "type", "case"};

std::string Allowed(std::string name) {
  if (std::ranges::find(kTaken, std::string_view(name)) != kTaken.end()) name += "_";
  return name;
}

// Namespaces around a declaration and classes that hold it, outermost first.
std::vector<std::string> Holders(const NamedDecl* decl) {
  std::vector<std::string> names;
  for (const clang::DeclContext* at = decl->getDeclContext(); at != nullptr; at = at->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at);
    if (space != nullptr && (space->isInline() || space->isAnonymousNamespace())) continue;
    const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(at);
    if (enumeration != nullptr && !enumeration->isScoped()) continue;
    const auto* named = llvm::dyn_cast<NamedDecl>(at);
    if (named != nullptr && named->getDeclName())
      names.insert(names.begin(), named->getNameAsString());
  }
  return names;
}

// How many templates are around a template's parameter, and its index.
std::pair<unsigned, unsigned> PlaceOfParameter(const NamedDecl* decl) {
  if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(decl)) {
    return {type->getDepth(), type->getIndex()};
  }
  const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(decl);
  return value == nullptr ? std::pair(~0U, ~0U) : std::pair(value->getDepth(), value->getIndex());
}

}  // namespace

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string FloatText(double value) {
  const std::string text = fmt::format("{}", value);
  if (!std::isfinite(value)) return fmt::format("float('{}')", text);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

int32_t Translator::LineOf(clang::SourceLocation at) const {
  at = sources_.getExpansionLoc(at);
  // What a library's header has is found at the line that includes it.
  while (at.isValid() && !sources_.isInMainFile(at) && !files_.Has(at)) {
    const clang::SourceLocation around = sources_.getIncludeLoc(sources_.getFileID(at));
    if (around.isInvalid()) break;
    at = sources_.getExpansionLoc(around);
  }
  const auto line = static_cast<int32_t>(sources_.getExpansionLineNumber(at));
  const clang::FileID id = sources_.getFileID(at);
  if (at.isInvalid() || id == sources_.getMainFileID()) return line;
  const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(id);
  if (!entry) return line;
  const auto [known, is_new] =
      header_numbers_.emplace(id, static_cast<int32_t>(headers_.size()) + 1);
  if (is_new)
    headers_.push_back(std::filesystem::path(entry->getName().str()).lexically_normal().string());
  return LinePlaces::Place(known->second, line);
}

std::string Translator::SourceOf(clang::SourceRange range) const {
  const auto text = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(sources_.getExpansionRange(range).getAsRange()),
      sources_, context_.getLangOpts());
  std::string words;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank || (!words.empty() && words.back() != ' ')) words += blank ? ' ' : c;
  }
  constexpr size_t kMaxWords = 60;
  if (words.size() > kMaxWords) words = words.substr(0, kMaxWords) + "...";
  return words;
}

std::string Translator::Unfollowed(const clang::Stmt* stmt, std::string_view why) const {
  std::string reason = fmt::format("'{}' is not followed", SourceOf(stmt->getSourceRange()));
  if (!why.empty()) reason += fmt::format(": {}", why);
  return fmt::format("_cpp.unfollowed({})", Quoted(reason));
}

Translator::Side Translator::SideOf(const Decl* decl) const {
  return files_.Has(decl->getLocation()) ? Side::kUser : Side::kLibrary;
}

std::string Translator::LibraryPath(const NamedDecl* decl) const {
  std::vector<std::string> parts = Holders(decl);
  std::string last = decl->getNameAsString();
  if (parts.empty()) return "std." + Allowed(last);  // of C's library
  if (parts[0] == "at" || parts[0] == "c10") parts[0] = "torch";
  if (parts[0] == "torch" && last.size() > 4 && last.ends_with("Impl"))
    last.resize(last.size() - 4);
  if (parts[0] == "torch" && parts.back() == "detail") parts.pop_back();
  std::string path = parts[0] == "torch" || parts[0] == "xla" ? parts[0] : "std";
  if (parts[0] != "torch" && parts[0] != "xla" && parts[0] != "std") {
    path = "_cpp.libraries." + parts[0];
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    if (!parts[i].starts_with("__")) path += "." + Allowed(parts[i]);
  }
  return path + "." + Allowed(last);
}

bool Translator::InSight(const std::string& name) const {
  return std::ranges::any_of(scopes_, [&](const auto& scope) { return scope.contains(name); });
}

std::string Translator::Declare(const NamedDecl* decl, std::string wanted) {
  if (const auto known = names_.find(decl->getCanonicalDecl()); known != names_.end()) {
    return known->second;
  }
  if (wanted.empty()) wanted = decl->getNameAsString();
  if (wanted.empty()) wanted = "_unnamed";
  wanted = Allowed(wanted);
  std::string name = wanted;
  for (int i = 2; InSight(name); ++i) name = fmt::format("{}_{}", wanted, i);
  scopes_.back().insert(name);
  names_[decl->getCanonicalDecl()] = name;
  return name;
}

std::string Translator::NameOf(const NamedDecl* decl) {
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
    if (const auto* pattern = variable->getTemplateInstantiationPattern()) decl = pattern;
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
    if (const auto* pattern = function->getTemplateInstantiationPattern()) decl = pattern;
  } else if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(decl)) {
    if (SideOf(made) == Side::kUser && IsInstance(made)) return InstanceName(made);
    if (!made->isExplicitSpecialization() || SideOf(made) == Side::kLibrary) {
      decl = made->getSpecializedTemplate()->getTemplatedDecl();
    }
  } else if (const auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(decl)) {
    return NameOf(shadow->getTargetDecl());
  } else if (const auto* made_of = llvm::dyn_cast<clang::TemplateDecl>(decl)) {
    if (const auto known = names_.find(decl->getCanonicalDecl()); known != names_.end()) {
      return known->second;  // of a class that the program has
    }
    if (made_of->getTemplatedDecl() != nullptr) return NameOf(made_of->getTemplatedDecl());
  }
  if (const auto known = names_.find(decl->getCanonicalDecl()); known != names_.end()) {
    return known->second;
  }
  if (decl->isTemplateParameter()) {
    // A method that is defined outside of its class names the parameters anew.
    const auto [depth, index] = PlaceOfParameter(decl);
    for (const clang::TemplateParameterList* around : class_parameters_) {
      if (around->getDepth() != depth || index >= around->size()) continue;
      if (const auto of_class = names_.find(around->getParam(index)); of_class != names_.end()) {
        return of_class->second;
      }
    }
  }
  if (llvm::isa<clang::ParmVarDecl, clang::BindingDecl, clang::TemplateTypeParmDecl,
                clang::NonTypeTemplateParmDecl>(decl)) {
    return Declare(decl);
  }
  if (SideOf(decl) == Side::kUser) return Allowed(decl->getNameAsString());
  models_ = true;
  return LibraryPath(decl);
}

// Operators have no names in Python.
std::string Translator::OperatorName(const clang::FunctionDecl* function) {
  return fmt::format("_operator{}", static_cast<int>(function->getOverloadedOperator()));
}

// Overloads have names of their own.
std::string Translator::MethodName(const clang::FunctionDecl* method) {
  if (const auto* pattern = method->getTemplateInstantiationPattern()) method = pattern;
  if (method->getOverloadedOperator() == clang::OO_Call) return "__call__";
  if (method->getOverloadedOperator() == clang::OO_Subscript) return "__getitem__";
  if (llvm::isa<clang::CXXConversionDecl>(method)) return "_converted";
  const bool is_operator = method->getOverloadedOperator() != clang::OO_None;
  std::string name = is_operator ? OperatorName(method) : Allowed(method->getNameAsString());
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(method->getDeclContext());
  if (record == nullptr || record->getDefinition() == nullptr) return name;
  int earlier = 0;
  for (const Decl* each : record->getDefinition()->decls()) {
    if (const auto* made_of = llvm::dyn_cast<clang::FunctionTemplateDecl>(each)) {
      each = made_of->getTemplatedDecl();
    }
    const auto* other = llvm::dyn_cast<clang::CXXMethodDecl>(each);
    if (other == nullptr || other->getDeclName() != method->getDeclName()) continue;
    if (other->getCanonicalDecl() == method->getCanonicalDecl()) break;
    ++earlier;
  }
  return earlier == 0 ? name : fmt::format("{}_{}", name, earlier + 1);
}

std::string Translator::TemplateValue(const clang::TemplateArgument& argument) {
  std::string value;
  if (argument.getKind() == clang::TemplateArgument::Type) value = TypeName(argument.getAsType());
  if (argument.getKind() == clang::TemplateArgument::Integral) {
    value = argument.getIntegralType()->isBooleanType()
                ? std::string(argument.getAsIntegral().getBoolValue() ? "True" : "False")
                : llvm::toString(argument.getAsIntegral(), 10);
  }
  if (argument.getKind() == clang::TemplateArgument::Expression) {
    value = Visit(argument.getAsExpr());
  }
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    for (const clang::TemplateArgument& each : argument.pack_elements()) {
      value += (value.empty() ? "" : ", ") + TemplateValue(each);
    }
    return value;
  }
  return value.empty() || value.find("unnamed") != std::string::npos ? "None" : value;
}

std::string Translator::TemplateDefault(const NamedDecl* parameter) {
  if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter)) {
    if (type->hasDefaultArgument()) {
      return TemplateValue(type->getDefaultArgument().getArgument());
    }
  }
  if (const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter)) {
    if (value->hasDefaultArgument()) {
      return TemplateValue(value->getDefaultArgument().getArgument());
    }
  }
  return "None";
}

// `Net_of(64)`, the class of Net<64>.
std::string Translator::InstanceName(const clang::ClassTemplateSpecializationDecl* made) {
  const auto from = made->getInstantiatedFrom();
  auto* partial = from.dyn_cast<clang::ClassTemplatePartialSpecializationDecl*>();
  const clang::TemplateArgumentList& arguments =
      partial == nullptr ? made->getTemplateArgs() : made->getTemplateInstantiationArgs();
  std::string values;
  for (const clang::TemplateArgument& each : arguments.asArray()) {
    const std::string value = TemplateValue(each);
    if (!value.empty()) values += (values.empty() ? "" : ", ") + value;
  }
  const std::string maker =
      partial == nullptr ? NameOf(made->getSpecializedTemplate()) : MakerOf(partial);
  return fmt::format("{}({})", maker, values);
}

// The function that makes the classes of a partial specialization.
std::string Translator::MakerOf(const clang::ClassTemplatePartialSpecializationDecl* partial) {
  return NameOf(partial) + "_of";
}

std::string Translator::TypeName(QualType type) {
  if (type.isNull()) return {};
  type = type.getNonReferenceType();
  if (const auto* parameter = type->getAs<clang::TemplateTypeParmType>()) {
    if (parameter->getDecl() != nullptr) return NameOf(parameter->getDecl());
    for (const clang::TemplateParameterList* around : class_parameters_) {
      const unsigned index = parameter->getIndex();
      if (around->getDepth() != parameter->getDepth() || index >= around->size()) continue;
      return NameOf(around->getParam(index));
    }
    return {};
  }
  if (type->isPointerType()) return TypeName(type->getPointeeType());
  if (const auto* made = type->getAs<clang::TemplateSpecializationType>()) {
    // In a template, with arguments that depend on its own.
    const clang::TemplateDecl* decl = made->getTemplateName().getAsTemplateDecl();
    if (llvm::isa_and_nonnull<clang::ClassTemplateDecl>(decl) && made->isDependentType() &&
        SideOf(decl) == Side::kUser) {
      std::string values;
      for (const clang::TemplateArgument& each : made->template_arguments()) {
        values += (values.empty() ? "" : ", ") + TemplateValue(each);
      }
      return fmt::format("{}({})", NameOf(decl), values);
    }
  }
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType()) return "bool";
  if (type->isIntegralOrEnumerationType()) return "int";
  if (type->isFloatingType()) return "float";
  if (const auto* record = type->getAsCXXRecordDecl()) return NameOf(record);
  if (const auto* made = type->getAs<clang::TemplateSpecializationType>()) {
    const auto* decl = made->getTemplateName().getAsTemplateDecl();
    return decl == nullptr ? "" : NameOf(decl);
  }
  return {};
}

std::string Translator::DefaultOf(QualType type) {
  if (type.isNull()) return "None";
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType()) return "False";
  if (type->isIntegralOrEnumerationType()) return "0";
  if (type->isFloatingType()) return "0.0";
  if (type->isPointerType()) return "None";
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    return fmt::format("_cpp.array({}, {})", array->getSize().getZExtValue(),
                       Quoted(DefaultOf(array->getElementType())));
  }
  return {};
}

// Types that a call writes out, or that a template of the source deduces: "T=Net".
std::string Translator::TemplateArguments(const clang::FunctionDecl* callee) {
  const clang::FunctionTemplateDecl* made_of = callee->getPrimaryTemplate();
  const clang::TemplateArgumentList* arguments = callee->getTemplateSpecializationArgs();
  if (made_of == nullptr || arguments == nullptr || SideOf(callee) == Side::kLibrary) return {};
  std::string text;
  const clang::TemplateParameterList* parameters = made_of->getTemplateParameters();
  for (unsigned i = 0; i < parameters->size() && i < arguments->size(); ++i) {
    const clang::TemplateArgument& argument = arguments->get(i);
    if (argument.getKind() == clang::TemplateArgument::Pack) continue;
    // `auto` of a parameter has no name that the body could use.
    if (parameters->getParam(i)->isImplicit()) continue;
    const std::string value = TemplateValue(argument);
    if (value == "None") continue;
    const auto* record = argument.getKind() == clang::TemplateArgument::Type
                             ? argument.getAsType()->getAsCXXRecordDecl()
                             : nullptr;
    if (record != nullptr && record->isLambda()) continue;
    // What a loader or a container is made of says its value, too.
    if (record != nullptr && SideOf(record) == Side::kLibrary && !value.starts_with("torch.nn.")) {
      continue;
    }
    if (!text.empty()) text += ", ";
    text += NameOf(parameters->getParam(i)) + "=" + value;
  }
  return text;
}

}  // namespace tilewise::cpp
