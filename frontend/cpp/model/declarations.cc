// The classes, functions and variables of a C++ source.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::CXXRecordDecl;
using clang::Decl;

// What a body calls.
void CollectCalled(const clang::Stmt* stmt, std::set<const Decl*>& called) {
  if (stmt == nullptr) return;
  const clang::ValueDecl* named = nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) named = name->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(stmt)) named = member->getMemberDecl();
  if (const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(named)) {
    if (const auto* pattern = function->getTemplateInstantiationPattern()) named = pattern;
  }
  if (named != nullptr) called.insert(named->getCanonicalDecl());
  for (const clang::Stmt* child : stmt->children()) CollectCalled(child, called);
}

// Whether a body has a builder of XLA's, or the scope of a graph of TensorFlow's, of its own.
bool MakesBuilder(const clang::Stmt* stmt) {
  if (stmt == nullptr) return false;
  if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const Decl* each : declares->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      const auto* record =
          variable == nullptr ? nullptr : variable->getType()->getAsCXXRecordDecl();
      if (record == nullptr || record->getIdentifier() == nullptr) continue;
      if (record->getName() == "XlaBuilder") return true;
      if (record->getQualifiedNameAsString() == "tensorflow::Scope") return true;
    }
  }
  for (const clang::Stmt* child : stmt->children()) {
    if (MakesBuilder(child)) return true;
  }
  return false;
}

// Returns those that have a builder, and those that call one of them.
std::set<const Decl*> Builders(const std::vector<const clang::FunctionDecl*>& functions) {
  std::set<const Decl*> found;
  std::map<const clang::FunctionDecl*, std::set<const Decl*>> called;
  for (const clang::FunctionDecl* function : functions) {
    CollectCalled(function->getBody(), called[function]);
    if (MakesBuilder(function->getBody())) found.insert(function->getCanonicalDecl());
  }
  for (bool more = true; more;) {
    more = false;
    for (const auto& [function, calls] : called) {
      const bool calls_one = std::any_of(calls.begin(), calls.end(),
                                         [&](const Decl* each) { return found.contains(each); });
      if (calls_one) more = found.insert(function->getCanonicalDecl()).second || more;
    }
  }
  return found;
}

// The class of a test of GoogleTest's whose body the function is; null: it is another function.
const CXXRecordDecl* TestOf(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method == nullptr || method->getIdentifier() == nullptr || method->getName() != "TestBody") {
    return nullptr;
  }
  const CXXRecordDecl* record = method->getParent();
  return record->isDependentContext() ? nullptr : record;
}

// The default of a flag of Abseil's: its macro keeps that in a class beside the flag.
const clang::Expr* FlagDefault(const clang::VarDecl* variable) {
  llvm::StringRef name = variable->getName();
  if (!name.consume_front("FLAGS_")) return nullptr;
  for (const Decl* each : variable->getDeclContext()->decls()) {
    const auto* record = llvm::dyn_cast<CXXRecordDecl>(each);
    if (record == nullptr || !record->isThisDeclarationADefinition()) continue;
    llvm::StringRef holder = record->getName();
    if (!holder.consume_front("AbslFlagDefaultGenFor") || holder != name) continue;
    for (const clang::FieldDecl* field : record->fields()) {
      const clang::Expr* init = field->getInClassInitializer();
      if (init == nullptr) continue;
      const auto* call = llvm::dyn_cast<clang::CallExpr>(init->IgnoreImplicit());
      return call != nullptr && call->getNumArgs() == 1 ? call->getArg(0) : init;
    }
  }
  return nullptr;
}

}  // namespace

Translator::Translator(clang::ASTContext& context, std::map<std::string, std::string> owners,
                       std::string own)
    : context_(context),
      sources_(context.getSourceManager()),
      files_(sources_),
      set_by_calls_(sources_),
      owners_(std::move(owners)),
      own_(std::move(own)) {
  scopes_.emplace_back();
}

std::set<std::string> Translator::Defined() const {
  std::set<std::string> defined, parts;
  Collect(context_.getTranslationUnitDecl(), defined, parts);
  return defined;
}

std::set<std::string> Translator::Parts() const {
  std::set<std::string> defined, parts;
  Collect(context_.getTranslationUnitDecl(), defined, parts);
  return parts;
}

void Translator::Collect(const clang::DeclContext* context, std::set<std::string>& defined,
                         std::set<std::string>& parts) const {
  for (const Decl* each : context->noload_decls()) {
    const Decl* decl = Templated(each);
    if (decl == nullptr || SideOf(decl) == Side::kLibrary) continue;
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
      Collect(space, defined, parts);
    } else if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(decl)) {
      if (!record->isThisDeclarationADefinition() || record->getIdentifier() == nullptr) continue;
      if (!LacksBodies(record)) {
        defined.insert(record->getQualifiedNameAsString());
      } else if (HasOuterBody(record)) {
        parts.insert(record->getQualifiedNameAsString());
      }
      Collect(record, defined, parts);
    } else if (llvm::isa<clang::CXXMethodDecl>(decl)) {
      continue;
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (function->getIdentifier() == nullptr || function->isMain()) continue;
      if (WithBody(function) != nullptr) defined.insert(function->getQualifiedNameAsString());
    }
  }
}

// What other modules import a class or a function by: its full name, which no other has.
std::string Translator::ExportedName(const clang::NamedDecl* decl) {
  std::string name = "_of_" + decl->getQualifiedNameAsString();
  for (char& c : name) {
    if (!llvm::isAlnum(c)) c = '_';
  }
  return name;
}

void Translator::WriteExport(const clang::NamedDecl* decl, const std::string& name) {
  if (own_.empty()) return;
  writer_.Line(LineOf(decl->getBeginLoc()), fmt::format("{} = {}", ExportedName(decl), name));
}

bool Translator::WriteImport(const clang::NamedDecl* decl, const std::string& name) {
  const auto owner = owners_.find(decl->getQualifiedNameAsString());
  if (owner == owners_.end() || owner->second == own_) return false;
  const int32_t line = LineOf(decl->getBeginLoc());
  if (!llvm::isa<clang::FunctionDecl>(decl)) {
    writer_.Line(line,
                 fmt::format("from {} import {} as {}", owner->second, ExportedName(decl), name));
    return true;
  }
  // Sources may call each other: a function is looked for when it is called.
  writer_.Line(line, fmt::format("def {}(*_values, **_named):", name));
  writer_.Line(line,
               fmt::format("    from {} import {} as _found", owner->second, ExportedName(decl)));
  writer_.Line(line, "    return _found(*_values, **_named)");
  return true;
}

TranslatedProgram Translator::Translate() {
  const clang::TranslationUnitDecl* unit = context_.getTranslationUnitDecl();
  DeclareAll(unit);
  writer_.Line(1, "import _tilewise_cpp as _cpp");
  writer_.Line(1, "from _tilewise_cpp import torch, xla, std, __recovers__");
  WriteAll(unit);
  const clang::FunctionDecl* main = nullptr;
  for (const Decl* decl : unit->noload_decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (function != nullptr && function->isMain() && function->hasBody()) main = function;
  }
  if (main != nullptr) {
    const int32_t line = LineOf(main->getLocation());
    const std::string arguments = main->getNumParams() == 0 ? "" : "*_cpp.command_line()";
    writer_.Line(line, "if __name__ == '__main__':");
    writer_.Line(line, fmt::format("    {}({})", NameOf(main), arguments));
  } else {
    WriteBuilders();
  }
  TranslatedProgram program = std::move(writer_).Take(headers_);
  program.trains = main != nullptr;
  program.models = models_;
  program.runs = main != nullptr || builds_;
  return program;
}

void Translator::CollectFunctions(const clang::DeclContext* context,
                                  std::vector<const clang::FunctionDecl*>& functions) const {
  for (const Decl* decl : context->noload_decls()) {
    if (decl == nullptr || SideOf(decl) == Side::kLibrary) continue;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (function != nullptr && function->isThisDeclarationADefinition()) {
      functions.push_back(function);
    } else if (const auto* inner = llvm::dyn_cast<clang::DeclContext>(decl)) {
      CollectFunctions(inner, functions);
    }
  }
}

void Translator::WriteBuilders() {
  std::vector<const clang::FunctionDecl*> functions;
  CollectFunctions(context_.getTranslationUnitDecl(), functions);
  std::set<const Decl*> called;
  for (const clang::FunctionDecl* function : functions) CollectCalled(function->getBody(), called);
  const std::set<const Decl*> builders = Builders(functions);
  std::string made;
  const clang::FunctionDecl* open = nullptr;  // which builds for what its caller gives
  for (const clang::FunctionDecl* function : functions) {
    if (!builders.contains(function->getCanonicalDecl())) continue;
    if (const CXXRecordDecl* test = TestOf(function)) {
      made += fmt::format("({}, lambda: {}().TestBody()), ", Quoted(test->getNameAsString()),
                          NameOf(test));
      continue;
    }
    if (llvm::isa<clang::CXXMethodDecl>(function) || function->isMain() ||
        called.contains(function->getCanonicalDecl())) {
      continue;
    }
    if (function->getMinRequiredArguments() > 0) {
      if (MakesBuilder(function->getBody())) open = function;
      continue;
    }
    made += fmt::format("({}, {}), ", Quoted(function->getNameAsString() + "()"), NameOf(function));
  }
  if (made.empty() && open != nullptr) {
    std::string parameters;
    for (const clang::ParmVarDecl* each : open->parameters()) {
      parameters += (parameters.empty() ? "" : ", ") + each->getNameAsString();
    }
    writer_.Line(LineOf(open->getLocation()),
                 fmt::format("if __name__ == '__main__': _cpp.open_builder({}, {})",
                             Quoted(open->getNameAsString()), Quoted(parameters)));
  }
  if (made.empty()) return;
  builds_ = true;
  writer_.Line(LineOf(functions.back()->getLocation()),
               fmt::format("if __name__ == '__main__': _cpp.built([{}])", made));
}

void Translator::DeclareAll(const clang::DeclContext* context) {
  for (const Decl* each : context->noload_decls()) {
    const Decl* decl = Templated(each);
    if (decl == nullptr || SideOf(decl) == Side::kLibrary) {
      // A namespace of a library that the source goes on with is found at its own location.
      continue;
    }
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
      DeclareAll(space);
    } else if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
      DeclareAll(linkage);
    } else if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(decl)) {
      if (record->isImplicit()) continue;
      if (record->getIdentifier() != nullptr) Declare(record);
      if (const clang::ClassTemplateDecl* made_of = record->getDescribedClassTemplate()) {
        Declare(made_of, record->getNameAsString() + "_of");
      }
      if (record->isThisDeclarationADefinition()) DeclareAll(record);
    } else if (llvm::isa<clang::CXXMethodDecl>(decl)) {
      continue;  // a class holds it
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (function->getIdentifier() != nullptr) Declare(function);
      if (function->isOverloadedOperator()) Declare(function, OperatorName(function));
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      Declare(variable);
    }
  }
}

void Translator::WriteAll(const clang::DeclContext* context) {
  for (const Decl* decl : context->noload_decls()) {
    if (SideOf(decl) == Side::kUser) WriteDeclaration(decl);
  }
}

void Translator::WriteDeclaration(const Decl* decl) {
  decl = Templated(decl);
  if (decl == nullptr || decl->isImplicit()) return;
  line_ = LineOf(decl->getBeginLoc());
  if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
    WriteAll(space);
  } else if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
    WriteAll(linkage);
  } else if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(decl)) {
    if (record->isThisDeclarationADefinition() && !IsInstance(record)) WriteClass(record);
  } else if (llvm::isa<clang::CXXMethodDecl>(decl)) {
    return;
  } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
    // What is no name, as of a literal's suffix, is none in Python. Text that is written to a
    // stream does not matter.
    const bool streams = function->getOverloadedOperator() == clang::OO_LessLess ||
                         function->getOverloadedOperator() == clang::OO_GreaterGreater;
    if (streams || (function->getIdentifier() == nullptr && !function->isOverloadedOperator())) {
      return;
    }
    // Once, where its body is.
    const clang::FunctionDecl* defined = WithBody(function);
    if (defined == function) {
      WriteFunction(function, NameOf(function), false);
      if (function->getIdentifier() != nullptr) WriteExport(function, NameOf(function));
    }
    if (defined == nullptr && function->isCanonicalDecl() && function->getIdentifier() != nullptr &&
        !WriteImport(function, NameOf(function))) {
      WriteFunction(function, NameOf(function), false);
    }
  } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
    if (variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly) {
      WriteVariable(variable);
    }
  }
}

void Translator::WriteVariable(const clang::VarDecl* variable) {
  const clang::Expr* init = FlagDefault(variable);
  if (init == nullptr) init = variable->getInit();
  std::string value = init == nullptr ? DefaultOf(variable->getType()) : Value(init);
  if (value.empty()) value = Construct(variable->getType(), {}, nullptr);
  writer_.Line(LineOf(variable->getBeginLoc()), fmt::format("{} = {}", NameOf(variable), value));
}

void Translator::WriteEnum(const clang::EnumDecl*) {}  // its numbers stand where they are used

std::string Translator::Parameters(const clang::FunctionDecl* function, bool method) {
  const auto* member = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  std::string text = method && (member == nullptr || !member->isStatic()) ? "self" : "";
  bool optional = false;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    if (!text.empty()) text += ", ";
    if (parameter->isParameterPack()) text += "*";
    text += Declare(parameter, parameter->getName().empty() ? "_unused" : "");
    // The first declaration has the defaults.
    const clang::ParmVarDecl* first = parameter;
    for (const clang::FunctionDecl* each : function->redecls()) {
      const clang::ParmVarDecl* same = each->getParamDecl(parameter->getFunctionScopeIndex());
      if (same->hasDefaultArg() && !same->hasUninstantiatedDefaultArg()) first = same;
    }
    if (first->hasDefaultArg() && !first->hasUninstantiatedDefaultArg() &&
        first->getDefaultArg() != nullptr) {
      text += "=" + Visit(first->getDefaultArg());
      optional = true;
    } else if (optional && !parameter->isParameterPack()) {
      text += "=None";
    }
  }
  const clang::FunctionTemplateDecl* made_of = function->getDescribedFunctionTemplate();
  if (made_of == nullptr) return text;
  for (const clang::NamedDecl* parameter : *made_of->getTemplateParameters()) {
    if (parameter->isImplicit()) continue;
    if (parameter->getName().empty() || parameter->isParameterPack()) continue;
    text += (text.empty() ? "" : ", ") + Declare(parameter) + "=None";
  }
  return text;
}

void Translator::WriteFunction(const clang::FunctionDecl* function, const std::string& name,
                               bool method) {
  const int32_t line = LineOf(function->getBeginLoc());
  const auto* member = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  scopes_.emplace_back();
  if (method && member != nullptr && member->isStatic()) writer_.Line(line, "@staticmethod");
  writer_.Line(line, fmt::format("def {}({}):", name, Parameters(function, method)));
  writer_.Indent();
  const clang::FunctionDecl* defined = WithBody(function);
  // Callers in other sources do not see whether the body sets what they give.
  const std::set<unsigned> left =
      own_.empty() ? set_by_calls_.ForCaller(function) : SetByCalls::MayBeSet(function);
  if (defined != nullptr && !left.empty()) {
    WriteLeaving(defined, left);
  } else if (defined != nullptr) {
    WriteBody(defined);
  } else {
    const std::string why =
        fmt::format("the body of {}() is in another file", function->getQualifiedNameAsString());
    writer_.Line(line, fmt::format("return _cpp.unfollowed({})", Quoted(why)));
  }
  writer_.Dedent();
  scopes_.pop_back();
}

// A body that sets what its caller gave by reference: the values stand by for the caller.
void Translator::WriteLeaving(const clang::FunctionDecl* function,
                              const std::set<unsigned>& parameters) {
  const int32_t line = LineOf(function->getEndLoc());
  writer_.Line(LineOf(function->getBeginLoc()), "try:");
  writer_.Indent();
  WriteBody(function);
  writer_.Dedent();
  std::string values;
  for (const unsigned i : parameters) {
    values += fmt::format("{}: {}, ", i, NameOf(function->getParamDecl(i)));
  }
  writer_.Line(line, "finally:");
  writer_.Line(line, fmt::format("    _cpp.leave({}, {{{}}})",
                                 Quoted(function->getQualifiedNameAsString()), values));
}

void Translator::WriteBody(const clang::FunctionDecl* function) {
  const clang::Stmt* body = function->getBody();
  if (const auto* tried = llvm::dyn_cast<clang::CXXTryStmt>(body)) body = tried->getTryBlock();
  WriteOuterNames(body, function);
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (block != nullptr) {
    WriteStatements(llvm::ArrayRef<const clang::Stmt*>(block->body_begin(), block->size()));
  }
  writer_.Line(LineOf(body->getEndLoc()), "pass");
}

// What a body changes outside of it.
void Translator::WriteOuterNames(const clang::Stmt* body, const clang::FunctionDecl* function) {
  std::set<const clang::VarDecl*> assigned, own;
  set_by_calls_.CollectAssigned(body, assigned, own);
  const auto encloses = [&](const clang::DeclContext* holder) {
    const clang::DeclContext* at = function->getDeclContext();
    while (at != nullptr && at != holder) at = at->getParent();
    return at != nullptr;
  };
  std::set<std::string> lines;
  for (const clang::VarDecl* variable : assigned) {
    const bool parameter = llvm::isa<clang::ParmVarDecl>(variable);
    if (own.contains(variable) || (parameter && !encloses(variable->getDeclContext()))) continue;
    const bool outer = variable->hasGlobalStorage() && !variable->isStaticLocal();
    lines.insert((outer ? "global " : "nonlocal ") + NameOf(variable));
  }
  for (const std::string& each : lines) writer_.Line(LineOf(body->getBeginLoc()), each);
}

}  // namespace tilewise::cpp
