// Variables that are set through references and addresses: by streams, by C's input functions, by
// parsers of command lines, by functions of the program.

#include "frontend/cpp/model/given.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <clang/Lex/Lexer.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/unresolved_calls.h"

namespace tilewise::cpp {
namespace {

using clang::Expr;
using clang::QualType;
using clang::Stmt;

const clang::CXXRecordDecl* StandardClass(QualType type) {
  const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  const bool standard =
      record != nullptr && record->getIdentifier() != nullptr && record->isInStdNamespace();
  return standard ? record : nullptr;
}

// Numbers, texts, and lists of them: what an assignment copies.
bool IsPlainValue(QualType type) {
  if (type.isNull() || type->isDependentType()) return false;
  type = type.getCanonicalType();
  if (type->isArithmeticType() || type->isEnumeralType()) return true;
  if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
    return IsPlainValue(array->getElementType());
  }
  const clang::CXXRecordDecl* record = StandardClass(type);
  if (record == nullptr) return false;
  if (record->getName() == "basic_string") return true;
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  const bool list = record->getName() == "vector" || record->getName() == "array";
  return list && made != nullptr &&
         made->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type &&
         IsPlainValue(made->getTemplateArgs()[0].getAsType());
}

// Containers of C++'s library, whatever they hold.
bool IsContainer(QualType type) {
  const clang::CXXRecordDecl* record = StandardClass(type);
  constexpr std::array<std::string_view, 6> kNames = {"vector", "map", "unordered_map",
                                                      "deque",  "set", "list"};
  return record != nullptr && std::find(kNames.begin(), kNames.end(),
                                        std::string_view(record->getName())) != kNames.end();
}

bool IsTensor(QualType type) {
  const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr && record->getName() == "Tensor";
}

// A pointer that `NewSession(options, &session)` sets.
bool IsSessionPointer(QualType type) {
  const auto* record =
      type->isPointerType() ? type->getPointeeType()->getAsCXXRecordDecl() : nullptr;
  return record != nullptr && record->getIdentifier() != nullptr && record->getName() == "Session";
}

bool IsArray(QualType type) { return type->getAsArrayTypeUnsafe() != nullptr; }

// The variable that an argument gives the address of: `&n`, `buffer`, `list.data()`, `&list[0]`,
// also behind casts; null: it gives none.
const Expr* AddressedBy(const Expr* argument) {
  const Expr* e = argument->IgnoreParenCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (unary->getOpcode() != clang::UO_AddrOf) return nullptr;
    e = unary->getSubExpr()->IgnoreParenCasts();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      e = element->getBase()->IgnoreParenCasts();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
      if (call->getOperator() == clang::OO_Subscript) e = call->getArg(0)->IgnoreParenCasts();
    }
    const bool holds =
        IsPlainValue(e->getType()) || IsContainer(e->getType()) || IsSessionPointer(e->getType());
    return holds ? e : nullptr;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (method == nullptr || method->getIdentifier() == nullptr || method->getName() != "data") {
      return nullptr;
    }
    e = call->getImplicitObjectArgument()->IgnoreParenCasts();
    return IsPlainValue(e->getType()) ? e : nullptr;
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (name == nullptr) return nullptr;
  const QualType type = name->getType();
  if (IsArray(type)) return IsPlainValue(type) ? e : nullptr;
  const bool pointer = type->isPointerType() && llvm::isa<clang::VarDecl>(name->getDecl());
  return pointer && IsPlainValue(type->getPointeeType()) ? e : nullptr;
}

// A parameter of a template that takes any value as it is: `T&& value`.
bool Forwards(const clang::FunctionDecl* function, unsigned index) {
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  if (pattern == nullptr && function->getPrimaryTemplate() != nullptr) {
    pattern = function->getPrimaryTemplate()->getTemplatedDecl();
  }
  if (pattern == nullptr || pattern->getNumParams() == 0) return false;
  const unsigned last = std::min(index, pattern->getNumParams() - 1);
  QualType type = pattern->getParamDecl(last)->getType();
  if (const auto* pack = type->getAs<clang::PackExpansionType>()) type = pack->getPattern();
  return type->isRValueReferenceType();
}

// Whether what a parameter names may be set: it is a reference or a pointer to what is not const.
bool MaySet(QualType parameter) {
  const bool names = parameter->isLValueReferenceType() || parameter->isPointerType();
  return names && !parameter->getPointeeType().isConstQualified();
}

// Functions that give a part of what they get, or that write it out.
bool LeavesAlone(const clang::FunctionDecl* function) {
  if (function->getIdentifier() == nullptr) return true;
  const llvm::StringRef name = function->getName();
  constexpr std::array<std::string_view, 13> kNames = {
      "begin", "end", "rbegin", "rend",      "get",  "tie",          "data",
      "size",  "ref", "free",   "from_blob", "cref", "back_inserter"};
  return std::find(kNames.begin(), kNames.end(), std::string_view(name)) != kNames.end() ||
         name.ends_with("printf") || name.ends_with("fwrite");
}

// Whether a function ties variables to options of a command line, on which nothing is given.
bool TiesOptions(const clang::FunctionDecl* function) {
  const std::string name = function->getQualifiedNameAsString();
  constexpr std::array<std::string_view, 9> kParsers = {
      "boost::program_options::", "CLI::",  "cxxopts::", "argparse::", "tsl::Flag",
      "tensorflow::Flag",         "absl::", "gflags::",  "google::"};
  return std::any_of(kParsers.begin(), kParsers.end(),
                     [&](std::string_view parser) { return name.starts_with(parser); }) &&
         name != "absl::SimpleAtoi" && !name.starts_with("absl::Simple");
}

// The value of `.default_value(64)`, which speaks of the option before it in the chain.
const Expr* DefaultSaidBy(const Expr* e) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
  if (call == nullptr || call->getNumArgs() == 0) return nullptr;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (member == nullptr) return nullptr;
  const std::string name = member->getMemberDecl()->getNameAsString();
  return name == "default_value" || name == "default_val" ? call->getArg(0) : nullptr;
}

// `.default_value(4)` in front of `.store_into(n)`.
const Expr* DefaultBefore(const Expr* call) {
  const Expr* value = nullptr;
  for (const auto* at = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
       at != nullptr && value == nullptr;
       at = llvm::dyn_cast<clang::CXXMemberCallExpr>(
           at->getImplicitObjectArgument()->IgnoreParenImpCasts())) {
    value = DefaultSaidBy(at);
  }
  return value;
}

// The argument, if it is a variable, a member or an element; nothing is given on the command line,
// so that parsers leave main's parameters as they are.
bool CanBeSet(const Expr* e) {
  if (const auto* element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    return element->getOperator() == clang::OO_Subscript;
  }
  if (llvm::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(e)) return true;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (name == nullptr) return false;
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl());
  if (parameter == nullptr) return llvm::isa<clang::VarDecl>(name->getDecl());
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  return function == nullptr || !function->isMain();
}

void AddGiven(Given given, std::vector<Given>& found) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(given.variable);
  if (unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
    given.variable = unary->getSubExpr()->IgnoreParenImpCasts();
  }
  if (CanBeSet(given.variable)) found.push_back(std::move(given));
}

// Addresses among the arguments of a call that is not resolved here.
void AddAddressed(const Expr* argument, std::vector<Given>& found) {
  if (argument == nullptr) return;
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
  if (unary == nullptr || unary->getOpcode() != clang::UO_AddrOf) return;
  if (const Expr* variable = AddressedBy(argument)) {
    AddGiven({.variable = variable, .by = "a call that is not known"}, found);
  }
}

// What a function that no header declares may get by reference.
void AddUnresolved(const Stmt* stmt, std::vector<Given>& found) {
  const UnresolvedCall call = UnresolvedCallOf(stmt);
  const std::string by = call.name.empty() ? "a constructor that no header declares maybe"
                                           : call.name + "(), which no header declares, maybe";
  for (const Expr* each : call.may_set) {
    if (IsPlainValue(each->getType())) AddGiven({.variable = each, .by = by}, found);
  }
}

// `x` of `x`, `*x` and of what stands for x.
const clang::VarDecl* AssignedVariable(const Expr* target) {
  target = target->IgnoreParenImpCasts();
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(target);
  if (unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
    target = unary->getSubExpr()->IgnoreParenImpCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(target);
  const auto* variable =
      name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr) return nullptr;
  const Expr* stands_for = StandsFor(variable);
  return stands_for == nullptr ? variable : AssignedVariable(stands_for);
}

}  // namespace

const Expr* ReadStream(const Expr* e) {
  const Expr* left = nullptr;
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    if (call->getOperator() == clang::OO_GreaterGreater) left = call->getArg(0);
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (binary->getOpcode() == clang::BO_Shr) left = binary->getLHS();
  }
  if (left == nullptr) return nullptr;
  left = left->IgnoreParenImpCasts();
  if (const Expr* further = ReadStream(left)) return further;
  const clang::CXXRecordDecl* record = StandardClass(left->getType());
  return record != nullptr && record->getName().contains("stream") ? left : nullptr;
}

const Expr* FileOf(const Expr* stream) {
  const Expr* e = stream->IgnoreUnlessSpelledInSource();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool local = variable != nullptr && variable->isLocalVarDecl() &&
                       variable->getInit() != nullptr && !variable->getType()->isReferenceType();
    if (!local) return nullptr;
    e = variable->getInit()->IgnoreUnlessSpelledInSource();
  }
  const clang::CXXRecordDecl* record = StandardClass(e->getType());
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  const bool opened =
      record != nullptr && made != nullptr && made->getNumArgs() > 0 &&
      (record->getName() == "basic_ifstream" || record->getName() == "basic_fstream");
  return opened ? made->getArg(0) : nullptr;
}

bool HoldsSetting(const clang::CXXRecordDecl* record) {
  const std::string name = record->getQualifiedNameAsString();
  return name.starts_with("nlohmann::") || name.starts_with("YAML::") || name.starts_with("toml::");
}

const Expr* StandsFor(const clang::VarDecl* variable) {
  const QualType type = variable->getType();
  const Expr* init = variable->getInit();
  const bool pointer = type->isPointerType();
  const bool fitting = variable->isLocalVarDecl() && init != nullptr &&
                       !llvm::isa<clang::DecompositionDecl>(variable) &&
                       (pointer || type->isLValueReferenceType());
  if (!fitting || !(IsPlainValue(type->getPointeeType()) || IsTensor(type->getPointeeType()))) {
    return nullptr;
  }
  const Expr* named = init->IgnoreParenImpCasts();
  if (pointer) {
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(named);
    if (unary == nullptr || unary->getOpcode() != clang::UO_AddrOf) return nullptr;
    named = unary->getSubExpr()->IgnoreParenImpCasts();
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
    if (function == nullptr || !function->hasBody() || Changes(function->getBody(), variable)) {
      return nullptr;
    }
  }
  const Expr* base = named;
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base)) {
    base = member->getBase()->IgnoreParenImpCasts();
  }
  const bool plain = llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr>(base);
  return plain ? named : nullptr;
}

bool Changes(const Stmt* stmt, const clang::VarDecl* variable) {
  if (stmt == nullptr) return false;
  const Expr* target = nullptr;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(stmt)) {
    if (binary->isAssignmentOp()) target = binary->getLHS();
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
    if (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf) {
      target = unary->getSubExpr();
    }
  }
  const auto* name = target == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts());
  if (name != nullptr && name->getDecl() == variable) return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt* child) { return Changes(child, variable); });
}

std::vector<Given> SetByCalls::In(const Stmt* stmt) {
  std::vector<Given> found;
  Find(stmt, nullptr, found);
  return found;
}

void SetByCalls::Find(const Stmt* stmt, const Expr* option, std::vector<Given>& found) {
  if (stmt == nullptr || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(stmt)) return;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt)) {
    for (const Expr* capture : lambda->capture_inits()) Find(capture, nullptr, found);
    return;
  }
  if (const auto* e = llvm::dyn_cast<Expr>(stmt)) {
    if (FindRead(e, found)) return;
    if (const Expr* value = DefaultSaidBy(e)) option = value;
  }
  for (const Stmt* child : stmt->children()) Find(child, option, found);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    FindCall(call, call->getDirectCallee(), {call->getArgs(), call->getNumArgs()}, option, found);
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt)) {
    FindCall(made, made->getConstructor(), {made->getArgs(), made->getNumArgs()}, option, found);
  } else if (llvm::isa<clang::RecoveryExpr>(stmt)) {
    for (const Stmt* child : stmt->children()) {
      AddAddressed(llvm::dyn_cast_or_null<Expr>(child), found);
    }
  }
  AddUnresolved(stmt, found);
}

// `std::cin >> a >> b`.
bool SetByCalls::FindRead(const Expr* e, std::vector<Given>& found) const {
  const Expr* stream = ReadStream(e);
  if (stream == nullptr) return false;
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e);
  const Expr* left = call != nullptr ? call->getArg(0) : binary->getLHS();
  const Expr* right = call != nullptr ? call->getArg(1) : binary->getRHS();
  FindRead(left->IgnoreParenImpCasts(), found);
  const clang::FunctionDecl* function = call == nullptr ? nullptr : call->getDirectCallee();
  // An operator of the program's own sets the members of what it reads.
  if (function != nullptr && files_.Has(function->getLocation())) return true;
  const auto text = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(
          sources_.getExpansionRange(stream->getSourceRange()).getAsRange()),
      sources_, clang::LangOptions());
  Given given = {.variable = right->IgnoreParenImpCasts(), .by = text.str()};
  const auto* record = given.variable->getType()->getAsCXXRecordDecl();
  if (record != nullptr && HoldsSetting(record)) given.file = FileOf(stream);
  AddGiven(given, found);
  return true;
}

void SetByCalls::FindOwn(const clang::FunctionDecl* function, bool lambda,
                         llvm::ArrayRef<const Expr*> arguments, std::vector<Given>& found) {
  for (const unsigned index : ForCaller(function)) {
    if (index >= arguments.size()) continue;
    const Expr* variable = AddressedBy(arguments[index]);
    if (variable == nullptr) variable = arguments[index]->IgnoreParenImpCasts();
    AddGiven({.variable = variable,
              .by = lambda ? "a lambda" : function->getNameAsString() + "()",
              .owner = lambda ? nullptr : function,
              .parameter = index},
             found);
  }
}

void SetByCalls::FindCall(const Expr* call, const clang::FunctionDecl* function,
                          llvm::ArrayRef<const Expr*> arguments, const Expr* option,
                          std::vector<Given>& found) {
  const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  if (op != nullptr) {
    if (op->getOperator() != clang::OO_Call) return;
    arguments = arguments.drop_front();
  }
  if (function == nullptr) {
    for (const Expr* each : arguments) AddAddressed(each, found);
    return;
  }
  if (files_.Has(function->getLocation())) {
    return FindOwn(function, op != nullptr, arguments, found);
  }
  if (LeavesAlone(function)) return;
  const bool ties = TiesOptions(function);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr* variable = nullptr;
    if (i < function->getNumParams()) {
      const QualType type = function->getParamDecl(i)->getType();
      if (!MaySet(type) || Forwards(function, i)) continue;
      variable =
          type->isPointerType() ? AddressedBy(arguments[i]) : arguments[i]->IgnoreParenImpCasts();
    } else if (function->isVariadic()) {
      variable = AddressedBy(arguments[i]);
    }
    const bool plain = variable != nullptr &&
                       (IsPlainValue(variable->getType()) || variable->getType()->isPointerType());
    if (!plain) continue;
    Given given = {.variable = variable, .by = function->getNameAsString() + "()"};
    given.parameter = i;
    given.option = ties && option == nullptr ? DefaultBefore(call) : option;
    given.keeps = ties && given.option == nullptr;
    if (!ties) given.option = nullptr;
    AddGiven(given, found);
  }
}

std::set<unsigned> SetByCalls::MayBeSet(const clang::FunctionDecl* function) {
  std::set<unsigned> indices;
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const QualType type = function->getParamDecl(i)->getType();
    const QualType named = type->getPointeeType();
    if (!named.isNull() && MaySet(type) &&
        (IsPlainValue(named) || IsTensor(named) || named->isDependentType())) {
      indices.insert(i);
    }
  }
  return indices;
}

const std::set<unsigned>& SetByCalls::ForCaller(const clang::FunctionDecl* function) {
  if (const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern()) {
    function = pattern;
  }
  // A function that calls itself is looked at once.
  const auto [known, is_new] = for_caller_.try_emplace(function->getCanonicalDecl());
  if (!is_new) return known->second;
  std::set<unsigned> indices = MayBeSet(function);
  const clang::FunctionDecl* defined = WithBody(function);
  if (!indices.empty() && defined != nullptr) {
    std::set<const clang::VarDecl*> assigned, own;
    CollectAssigned(defined->getBody(), assigned, own);
    std::erase_if(indices,
                  [&](unsigned i) { return !assigned.contains(defined->getParamDecl(i)); });
  }
  return known->second = std::move(indices);
}

void SetByCalls::CollectAssigned(const Stmt* stmt, std::set<const clang::VarDecl*>& assigned,
                                 std::set<const clang::VarDecl*>& own) {
  if (stmt == nullptr) return;
  const Expr* target = nullptr;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(stmt)) {
    if (binary->isAssignmentOp()) target = binary->getLHS();
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
    if (unary->isIncrementDecrementOp()) target = unary->getSubExpr();
  } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stmt)) {
    if (call->isAssignmentOp()) target = call->getArg(0);
  } else if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const clang::Decl* each : declares->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) own.insert(variable);
    }
  }
  if (target != nullptr) assigned.insert(AssignedVariable(target));
  if (llvm::isa<clang::CallExpr, clang::CXXConstructExpr, clang::RecoveryExpr>(stmt)) {
    for (const Given& each : In(stmt)) assigned.insert(AssignedVariable(each.variable));
  }
  assigned.erase(nullptr);
  for (const Stmt* child : stmt->children()) CollectAssigned(child, assigned, own);
}

}  // namespace tilewise::cpp
