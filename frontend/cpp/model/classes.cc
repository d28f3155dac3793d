// The classes of a C++ source: constructors, members, methods.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::CXXConstructorDecl;
using clang::CXXRecordDecl;
using clang::Decl;

// `Net` of `TORCH_MODULE(Net)`: the class NetImpl that it holds, which may depend on the parameters
// of a template.
clang::QualType Held(const CXXRecordDecl* record) {
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const auto* made = base.getType()->getAs<clang::TemplateSpecializationType>();
    const auto* holder = made == nullptr ? nullptr : made->getTemplateName().getAsTemplateDecl();
    if (holder == nullptr || holder->getName() != "ModuleHolder") continue;
    const clang::TemplateArgument& held = made->template_arguments()[0];
    if (held.getKind() == clang::TemplateArgument::Type) return held.getAsType();
  }
  return {};
}

// Constructors that the program wrote, without those that copy.
std::vector<const CXXConstructorDecl*> Constructors(const CXXRecordDecl* record) {
  std::vector<const CXXConstructorDecl*> found;
  for (const Decl* each : record->decls()) {
    const auto* made = llvm::dyn_cast<CXXConstructorDecl>(Templated(each));
    const bool counts = made != nullptr && !made->isImplicit() && !made->isDeleted() &&
                        !made->isDefaulted() && !made->isCopyOrMoveConstructor();
    if (counts) found.push_back(made);
  }
  return found;
}

// `using Base::Base;` in a class without constructors of its own.
bool InheritsConstructors(const CXXRecordDecl* record) {
  return Constructors(record).empty() && std::ranges::any_of(record->decls(), [](const Decl* each) {
           const auto* named = llvm::dyn_cast<clang::UsingDecl>(each);
           return named != nullptr &&
                  named->getDeclName().getNameKind() == clang::DeclarationName::CXXConstructorName;
         });
}

}  // namespace

void Translator::WriteClass(const CXXRecordDecl* record) {
  const int32_t line = LineOf(record->getBeginLoc());
  const std::string name = Declare(record);
  const clang::QualType held = Held(record);
  if (!held.isNull() && record->getDescribedClassTemplate() == nullptr) {
    writer_.Line(line, fmt::format("{} = {}", name, TypeName(held)));
    return WriteExport(record, name);
  }
  const clang::ClassTemplateDecl* made_of = record->getDescribedClassTemplate();
  const auto* partial = llvm::dyn_cast<clang::ClassTemplatePartialSpecializationDecl>(record);
  // A function of the template's parameters, which makes one class for the same arguments.
  const std::string maker = partial != nullptr ? MakerOf(partial)
                            : made_of != nullptr
                                ? Declare(made_of, record->getNameAsString() + "_of")
                                : name;
  if (partial == nullptr && LacksBodies(record) && WriteImport(record, maker)) return;
  if (made_of == nullptr && partial == nullptr) {
    WriteMembers(record, name);
    return WriteExport(record, name);
  }
  const clang::TemplateParameterList* all =
      partial != nullptr ? partial->getTemplateParameters() : made_of->getTemplateParameters();
  scopes_.emplace_back();
  std::string parameters;
  for (const clang::NamedDecl* each : *all) {
    parameters += parameters.empty() ? "" : ", ";
    parameters +=
        each->isParameterPack() ? "*" + Declare(each) : Declare(each) + "=" + TemplateDefault(each);
  }
  writer_.Line(line, "@_cpp.template");
  writer_.Line(line, fmt::format("def {}({}):", maker, parameters));
  writer_.Indent();
  class_parameters_.push_back(all);
  if (held.isNull()) {
    WriteMembers(record, name);
  } else {
    writer_.Line(line, fmt::format("{} = {}", name, TypeName(held)));
  }
  class_parameters_.pop_back();
  writer_.Line(line, "return " + name);
  writer_.Dedent();
  scopes_.pop_back();
  if (made_of != nullptr) WriteExport(record, maker);
}

void Translator::WriteMembers(const CXXRecordDecl* record, const std::string& name) {
  for (const Decl* each : record->decls()) {
    const Decl* part = Templated(each);
    const auto* nested = llvm::dyn_cast<CXXRecordDecl>(part);
    const auto* shared = llvm::dyn_cast<clang::VarDecl>(part);
    if (nested != nullptr && !nested->isImplicit() && nested->isThisDeclarationADefinition() &&
        !IsInstance(nested)) {
      WriteClass(nested);
    }
    if (shared != nullptr && shared->isStaticDataMember()) WriteVariable(shared);
  }
  WriteBases(record, name);
  writer_.Indent();
  // What all objects share is reached through one of them as well.
  for (const Decl* each : record->decls()) {
    const auto* shared = llvm::dyn_cast<clang::VarDecl>(Templated(each));
    if (shared == nullptr || !shared->isStaticDataMember()) continue;
    writer_.Line(LineOf(each->getBeginLoc()),
                 fmt::format("{} = {}", shared->getNameAsString(), NameOf(shared)));
  }
  const std::vector<const CXXConstructorDecl*> constructors = Constructors(record);
  if (constructors.empty()) WriteDefaultConstructor(record);
  for (const CXXConstructorDecl* each : constructors) WriteConstructor(record, each);
  if (constructors.size() > 1) WriteConstructorChoice(constructors);
  for (const Decl* each : record->decls()) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(Templated(each));
    if (method == nullptr || method->isImplicit() || method->isDeleted() || method->isDefaulted() ||
        llvm::isa<CXXConstructorDecl, clang::CXXDestructorDecl>(method)) {
      continue;
    }
    const clang::FunctionDecl* defined = WithBody(method);
    WriteFunction(defined == nullptr ? method : defined, MethodName(method), true);
  }
  writer_.Dedent();
}

void Translator::WriteBases(const CXXRecordDecl* record, const std::string& name) {
  std::string bases;
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const std::string path = TypeName(base.getType());
    if (path.empty() || path.starts_with("std.")) continue;
    bases += (bases.empty() ? "" : ", ") + path;
  }
  writer_.Line(LineOf(record->getBeginLoc()),
               fmt::format("class {}({}):", name, bases.empty() ? "_cpp.Object" : bases));
}

// Members get their values in the order in which the class has them.
void Translator::WriteFieldDefaults(const CXXRecordDecl* record,
                                    const CXXConstructorDecl* constructor) {
  std::map<const clang::FieldDecl*, const clang::Expr*> written;
  std::set<std::string> based;
  if (constructor != nullptr) {
    for (const clang::CXXCtorInitializer* init : constructor->inits()) {
      if (init->isAnyMemberInitializer()) written[init->getAnyMember()] = init->getInit();
      if (!init->isBaseInitializer()) continue;
      const std::string base = TypeName(clang::QualType(init->getBaseClass(), 0));
      if (base.empty() || base.starts_with("std.")) continue;
      llvm::ArrayRef<const clang::Expr*> arguments;
      const clang::Expr* made = init->getInit()->IgnoreImplicit();
      const auto* call = llvm::dyn_cast<clang::CXXConstructExpr>(made);
      const auto* list = llvm::dyn_cast<clang::ParenListExpr>(made);
      if (call != nullptr) arguments = {call->getArgs(), call->getNumArgs()};
      if (list != nullptr) arguments = ExpressionsOf(list);
      const std::string values = Arguments(arguments);
      based.insert(base);
      writer_.Line(LineOf(constructor->getBeginLoc()),
                   fmt::format("{}.__init__(self{}{})", base, values.empty() ? "" : ", ", values));
    }
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const std::string path = TypeName(base.getType());
    if (path.empty() || path.starts_with("std.") || based.contains(path)) continue;
    const char* form = InheritsConstructors(record) ? "_cpp.call({}.__init__, self, *_values)"
                                                    : "{}.__init__(self)";
    writer_.Line(LineOf(record->getBeginLoc()), fmt::format(fmt::runtime(form), path));
  }
  for (const clang::FieldDecl* field : record->fields()) {
    const auto given = written.find(field);
    const clang::Expr* init =
        given != written.end() ? given->second : field->getInClassInitializer();
    int32_t line = LineOf(field->getBeginLoc());
    if (init != nullptr && files_.Has(init->getBeginLoc())) {
      line = LineOf(init->getBeginLoc());
    }
    line_ = line;
    std::string value;
    const auto* list = llvm::dyn_cast_or_null<clang::ParenListExpr>(init);
    if (list != nullptr) {
      value = Construct(field->getType(), ExpressionsOf(list), nullptr);
    } else {
      value = init == nullptr ? DefaultOf(field->getType()) : Value(init);
    }
    if (value.empty()) value = Construct(field->getType(), {}, nullptr);
    writer_.Line(line, fmt::format("self.{} = {}", NameOf(field), value));
  }
}

void Translator::WriteDefaultConstructor(const CXXRecordDecl* record) {
  const int32_t line = LineOf(record->getBeginLoc());
  writer_.Line(line, "def __init__(self, *_values):");
  writer_.Indent();
  writer_.Line(line, "pass");
  WriteFieldDefaults(record, nullptr);
  std::string names;
  for (const clang::FieldDecl* field : record->fields()) names += Quoted(NameOf(field)) + ", ";
  writer_.Line(line, fmt::format("_cpp.fill(self, ({}), _values)", names));
  writer_.Dedent();
}

void Translator::WriteConstructor(const CXXRecordDecl* record,
                                  const CXXConstructorDecl* constructor) {
  const clang::FunctionDecl* defined = WithBody(constructor);
  const auto* made = defined == nullptr ? constructor : llvm::cast<CXXConstructorDecl>(defined);
  const int32_t line = LineOf(made->getBeginLoc());
  const std::vector<const CXXConstructorDecl*> all = Constructors(record);
  const auto at = std::find(all.begin(), all.end(), constructor) - all.begin();
  const std::string name = all.size() == 1 ? "__init__" : fmt::format("_made_{}", at + 1);
  scopes_.emplace_back();
  writer_.Line(line, fmt::format("def {}({}):", name, Parameters(made, true)));
  writer_.Indent();
  if (defined == nullptr) {
    const std::string why =
        fmt::format("the constructor of {} is in another file", record->getNameAsString());
    writer_.Line(line, fmt::format("_cpp.unfollowed({})", Quoted(why)));
    WriteFieldDefaults(record, nullptr);
  } else if (made->isDelegatingConstructor()) {
    const auto* call =
        llvm::dyn_cast<clang::CXXConstructExpr>((*made->init_begin())->getInit()->IgnoreImplicit());
    const auto to = call == nullptr ? all.end()
                                    : std::find(all.begin(), all.end(),
                                                call->getConstructor()->getCanonicalDecl());
    if (to == all.end()) {
      writer_.Line(line, Unfollowed((*made->init_begin())->getInit()));
    } else {
      writer_.Line(line, fmt::format("self._made_{}({})", to - all.begin() + 1,
                                     Arguments({call->getArgs(), call->getNumArgs()})));
    }
  } else {
    WriteFieldDefaults(record, made);
  }
  if (defined != nullptr) WriteBody(made);
  writer_.Dedent();
  scopes_.pop_back();
}

// Writes the choice for calls that do not say which constructor they mean.
void Translator::WriteConstructorChoice(
    const std::vector<const CXXConstructorDecl*>& constructors) {
  const int32_t line = LineOf(constructors[0]->getBeginLoc());
  writer_.Line(line, "def __init__(self, *_values):");
  std::string choices;
  for (size_t i = 0; i < constructors.size(); ++i) {
    choices += fmt::format("({}, {}, self._made_{}), ", constructors[i]->getMinRequiredArguments(),
                           constructors[i]->getNumParams(), i + 1);
  }
  writer_.Line(line, fmt::format("    _cpp.choose([{}], _values)", choices));
}

}  // namespace tilewise::cpp
