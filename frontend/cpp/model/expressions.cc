// The expressions of C++ functions: literals, names, operators.

#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>

#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Expr;

// Whether a chain of << starts with a stream that text goes to.
const Expr* Leftmost(const Expr* e) {
  for (;;) {
    e = e->IgnoreParenImpCasts();
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
      if (call->getOperator() != clang::OO_LessLess) return e;
      e = call->getArg(0);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      if (binary->getOpcode() != clang::BO_Shl) return e;
      e = binary->getLHS();
    } else {
      return e;
    }
  }
}

bool IsStream(const Expr* e) {
  const auto* record = e->getType()->getAsCXXRecordDecl();
  if (record != nullptr) return record->getName().contains("stream");
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  return name != nullptr &&
         (name->getDecl()->getName() == "cout" || name->getDecl()->getName() == "cerr");
}

std::vector<const Expr*> PartsOf(const clang::RecoveryExpr* e) {
  auto* parts = const_cast<clang::RecoveryExpr*>(e);
  return {parts->subExpressions().begin(), parts->subExpressions().end()};
}

// What `(T*)malloc(sizeof(T))` makes, where T is a class of C; null otherwise.
clang::QualType Allocated(const clang::CastExpr* e) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e->getSubExpr()->IgnoreParenImpCasts());
  const clang::FunctionDecl* made = call == nullptr ? nullptr : call->getDirectCallee();
  if (made == nullptr || made->getIdentifier() == nullptr) return {};
  if (made->getName() != "malloc" && made->getName() != "calloc") return {};
  const clang::QualType type = e->getType()->getPointeeType();
  return !type.isNull() && type->isRecordType() ? type : clang::QualType();
}

// Whether two characters are compared, which C++ makes numbers of first.
bool AreCharacters(const Expr* a, const Expr* b) {
  return a->IgnoreParenImpCasts()->getType()->isAnyCharacterType() &&
         b->IgnoreParenImpCasts()->getType()->isAnyCharacterType();
}

bool IsNull(const Expr* e) {
  return llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(e->IgnoreParenImpCasts());
}

// Whether the value is a position in a range of C++'s library, or behind a pointer.
bool IsIterator(const Expr* e) {
  if (!e->getType().isNull() && e->getType()->isPointerType()) return true;
  const auto* record = e->getType().isNull() ? nullptr : e->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr &&
         record->getName().ends_with("iterator");
}

}  // namespace

std::string Translator::VisitStmt(const clang::Stmt* stmt) {
  const auto* e = llvm::dyn_cast<Expr>(stmt);
  if (e != nullptr && !e->isValueDependent() && !e->containsErrors() &&
      e->getType()->isIntegralOrEnumerationType()) {
    Expr::EvalResult result;
    if (e->EvaluateAsInt(result, context_)) return llvm::toString(result.Val.getInt(), 10);
  }
  return Unfollowed(stmt);
}

std::string Translator::VisitIntegerLiteral(const clang::IntegerLiteral* e) {
  return llvm::toString(e->getValue(), 10, e->getType()->isSignedIntegerType());
}

std::string Translator::VisitFloatingLiteral(const clang::FloatingLiteral* e) {
  return FloatText(e->getValueAsApproximateDouble());
}

std::string Translator::VisitStringLiteral(const clang::StringLiteral* e) {
  if (e->getCharByteWidth() != 1) return "''";
  return Quoted({e->getBytes().data(), e->getBytes().size()});
}

std::string Translator::VisitCharacterLiteral(const clang::CharacterLiteral* e) {
  return e->getValue() < 0x80 ? Quoted(std::string(1, static_cast<char>(e->getValue()))) : "'?'";
}

std::string Translator::VisitCXXBoolLiteralExpr(const clang::CXXBoolLiteralExpr* e) {
  return e->getValue() ? "True" : "False";
}

std::string Translator::VisitUserDefinedLiteral(const clang::UserDefinedLiteral* e) {
  return e->getNumArgs() == 1 ? Visit(e->getArg(0)) : Unfollowed(e);
}

std::string Translator::VisitCastExpr(const clang::CastExpr* e) {
  const Expr* inner = e->getSubExpr();
  switch (e->getCastKind()) {
    case clang::CK_IntegralToFloating: {
      const std::string value = Visit(inner);
      if (llvm::isa<clang::IntegerLiteral>(inner->IgnoreParenImpCasts())) return value + ".0";
      return fmt::format("float({})", value);
    }
    case clang::CK_IntegralCast:
      // A character that stands where a number does.
      if (const auto* sign = llvm::dyn_cast<clang::CharacterLiteral>(inner->IgnoreParens());
          sign != nullptr && !e->getType()->isAnyCharacterType()) {
        return fmt::format("{}", sign->getValue());
      }
      break;
    case clang::CK_BitCast:
      if (const clang::QualType made = Allocated(e); !made.isNull()) {
        return Construct(made, {}, nullptr);
      }
      break;
    case clang::CK_FloatingToIntegral:
      return fmt::format("int({})", Visit(inner));
    case clang::CK_PointerToBoolean:
      return fmt::format("({} is not None)", Visit(inner));
    case clang::CK_Dependent: {
      const clang::QualType type = e->getType();
      const auto* written = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
      if (written != nullptr && !type->isDependentType() && type->isFloatingType()) {
        return fmt::format("float({})", Visit(inner));
      }
      if (written != nullptr && !type->isDependentType() && type->isIntegerType()) {
        return fmt::format("int({})", Visit(inner));
      }
      // `Linear(options)` in a template, where the options hang on its parameters.
      if (llvm::isa<clang::CXXFunctionalCastExpr>(e) && type->getAsCXXRecordDecl() != nullptr) {
        return Construct(type, {inner}, nullptr);
      }
      return Visit(inner);
    }
    default:
      break;
  }
  if (llvm::isa<clang::CXXDynamicCastExpr>(e)) {
    const std::string type = TypeName(e->getType());
    if (!type.empty()) return fmt::format("_cpp.as_type({}, {})", Visit(inner), type);
  }
  return Visit(inner);
}

std::string Translator::VisitDeclRefExpr(const clang::DeclRefExpr* e) {
  const clang::ValueDecl* decl = e->getDecl();
  const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(decl);
  if (constant != nullptr && SideOf(decl) == Side::kUser) {
    return llvm::toString(constant->getInitVal(), 10);
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl)) {
    if (SideOf(decl) == Side::kUser) return NameOf(method->getParent()) + "." + MethodName(method);
    // `Own::apply` of a library's base speaks for the class that is named.
    const clang::Type* named =
        e->getQualifier() == nullptr ? nullptr : e->getQualifier()->getAsType();
    const auto* record = named == nullptr ? nullptr : named->getAsCXXRecordDecl();
    if (record != nullptr && SideOf(record) == Side::kUser) {
      return NameOf(record) + "." + method->getNameAsString();
    }
  }
  // No place in a text, as what looks for one says it in Python.
  const bool named = decl->getDeclName().isIdentifier() && SideOf(decl) == Side::kLibrary;
  if (named && decl->getName() == "npos") return "-1";
  return NameOf(decl);
}

std::string Translator::VisitMemberExpr(const clang::MemberExpr* e) {
  const clang::ValueDecl* member = e->getMemberDecl();
  const auto* shared = llvm::dyn_cast<clang::VarDecl>(member);
  if (shared != nullptr) return NameOf(shared);
  if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(member)) {
    return llvm::toString(constant->getInitVal(), 10);
  }
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member);
  if (field != nullptr && field->isAnonymousStructOrUnion()) return Visit(e->getBase());
  std::string name = member->getNameAsString();
  if (SideOf(member) == Side::kUser) {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member)) {
      name = MethodName(method);
    } else {
      name = NameOf(member);
    }
  }
  return Visit(e->getBase()) + "." + name;
}

std::string Translator::VisitCXXDependentScopeMemberExpr(
    const clang::CXXDependentScopeMemberExpr* e) {
  const std::string base = e->isImplicitAccess() ? "self" : Visit(e->getBase());
  return base + "." + e->getMember().getAsString();
}

std::string Translator::VisitDependentScopeDeclRefExpr(const clang::DependentScopeDeclRefExpr* e) {
  const clang::Type* scope =
      e->getQualifier() == nullptr ? nullptr : e->getQualifier()->getAsType();
  const std::string type = scope == nullptr ? "" : TypeName(clang::QualType(scope, 0));
  return type.empty() ? Unfollowed(e) : type + "." + e->getDeclName().getAsString();
}

std::string Translator::VisitUnresolvedLookupExpr(const clang::UnresolvedLookupExpr* e) {
  for (const clang::NamedDecl* decl : e->decls()) return NameOf(decl);
  return Unfollowed(e);
}

std::string Translator::VisitUnresolvedMemberExpr(const clang::UnresolvedMemberExpr* e) {
  const std::string base = e->isImplicitAccess() ? "self" : Visit(e->getBase());
  return base + "." + e->getMemberName().getAsString();
}

std::string Translator::VisitParenListExpr(const clang::ParenListExpr* e) {
  return e->getNumExprs() == 1 ? Visit(e->getExpr(0)) : "(" + Arguments(ExpressionsOf(e)) + ")";
}

std::string Translator::VisitConditionalOperator(const clang::ConditionalOperator* e) {
  return fmt::format("({} if {} else {})", Visit(e->getTrueExpr()), Condition(e->getCond()),
                     Visit(e->getFalseExpr()));
}

std::string Translator::VisitArraySubscriptExpr(const clang::ArraySubscriptExpr* e) {
  return fmt::format("{}[{}]", Visit(e->getBase()), Visit(e->getIdx()));
}

std::string Translator::VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr* e) {
  return VisitStmt(e);
}

std::string Translator::VisitCXXTypeidExpr(const clang::CXXTypeidExpr* e) {
  if (!e->isTypeOperand()) return fmt::format("_cpp.type_of({})", Visit(e->getExprOperand()));
  const std::string type = TypeName(e->getTypeOperand(context_));
  return type.empty() ? Unfollowed(e) : type;
}

std::string Translator::VisitCXXDeleteExpr(const clang::CXXDeleteExpr*) { return "None"; }

std::string Translator::VisitCXXThrowExpr(const clang::CXXThrowExpr* e) {
  return fmt::format("_cpp.thrown({})", Quoted(SourceOf(e->getSourceRange())));
}

std::pair<const Expr*, std::string> Translator::MissingMember(const Expr* e) const {
  const auto* failed = llvm::dyn_cast<clang::RecoveryExpr>(e);
  if (failed == nullptr || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID()) return {};
  const std::vector<const Expr*> parts = PartsOf(failed);
  if (parts.size() != 1 || parts[0]->getBeginLoc() != e->getBeginLoc()) return {};
  const llvm::StringRef text = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(e->getSourceRange()), sources_, context_.getLangOpts());
  size_t begin = text.size();
  while (begin > 0 && (llvm::isAlnum(text[begin - 1]) || text[begin - 1] == '_')) --begin;
  const llvm::StringRef before = text.take_front(begin);
  const bool named = begin < text.size() && !llvm::isDigit(text[begin]) &&
                     (before.ends_with(".") || before.ends_with("->"));
  if (!named) return {};
  return {parts[0], text.substr(begin).str()};
}

bool Translator::IsOfProgram(const Expr* callee) const {
  const auto* lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee);
  const bool found = lookup != nullptr && lookup->decls_begin() != lookup->decls_end();
  const clang::NamedDecl* decl = found             ? *lookup->decls_begin()
                                 : name != nullptr ? name->getDecl()
                                                   : nullptr;
  return decl != nullptr && SideOf(decl->getUnderlyingDecl()) == Side::kUser;
}

std::string Translator::VisitRecoveryExpr(const clang::RecoveryExpr* e) {
  if (const auto [object, name] = MissingMember(e); object != nullptr) {
    return fmt::format("_cpp.member({}, {})", Visit(object), Quoted(name));
  }
  // A name whose declaration has an error, or a call that Clang cannot resolve.
  const std::string text = SourceOf(e->getSourceRange());
  for (const auto& [decl, name] : names_) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable != nullptr && variable->getName() == text && InSight(name)) return name;
  }
  const std::vector<const Expr*> parts = PartsOf(e);
  // In `Functional(torch::tanh)`, of whose class nothing is left, the first part is no callee.
  const bool calls =
      !parts.empty() && text.ends_with(")") && parts[0]->getBeginLoc() == e->getBeginLoc();
  if (calls) {
    if (llvm::isa<clang::UnresolvedLookupExpr, clang::DeclRefExpr>(parts[0])) {
      const llvm::ArrayRef<const Expr*> arguments = llvm::ArrayRef(parts).drop_front();
      const std::string callee = Visit(parts[0]);
      // A function of the program takes what it is given as it stands.
      if (IsOfProgram(parts[0])) return fmt::format("{}({})", callee, Arguments(arguments));
      return LibraryCall(callee, arguments);
    }
    if (const auto* member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(parts[0])) {
      return MethodCall(member->isImplicitAccess() ? nullptr : member->getBase(),
                        member->getMemberName().getAsString(), llvm::ArrayRef(parts).drop_front(),
                        "", nullptr);
    }
  }
  return Unfollowed(e, "a declaration that it needs was not found");
}

// An assignment within an expression.
std::string Translator::Updated(const Expr* target, const std::string& value, const Expr* e) {
  const std::string name = Visit(target);
  if (name.find_first_of("[(") != std::string::npos) return Unfollowed(e);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return fmt::format("({} := {})", name, value);
  return fmt::format("_cpp.put({}, '{}', {})", name.substr(0, dot), name.substr(dot + 1), value);
}

std::string Translator::VisitUnaryOperator(const clang::UnaryOperator* e) {
  const Expr* inner = e->getSubExpr();
  switch (e->getOpcode()) {
    case clang::UO_PreInc:
    case clang::UO_PreDec:
      return Updated(inner, Visit(inner) + (e->isIncrementOp() ? " + 1" : " - 1"), e);
    case clang::UO_PostInc:
    case clang::UO_PostDec: {
      const std::string updated =
          Updated(inner, Visit(inner) + (e->isIncrementOp() ? " + 1" : " - 1"), e);
      return fmt::format("_cpp.before({}, {})", Visit(inner), updated);
    }
    case clang::UO_Minus:
      return "(-" + Visit(inner) + ")";
    case clang::UO_Not:
      return "(~" + Visit(inner) + ")";
    case clang::UO_LNot:
      return "(not " + Condition(inner) + ")";
    default:
      return Visit(inner);  // &x and *x are x
  }
}

std::string Translator::VisitBinaryOperator(const clang::BinaryOperator* e) {
  if (IsStream(Leftmost(e))) return Operation(clang::OO_LessLess, e->getLHS(), e->getRHS(), e);
  if (e->isAssignmentOp()) {
    std::string value = Visit(e->getRHS());
    if (e->isCompoundAssignmentOp()) {
      const std::string sign = e->getOpcodeStr().drop_back().str();
      value = sign == "/" ? fmt::format("_cpp.over({}, {})", Visit(e->getLHS()), value)
                          : fmt::format("{} {} {}", Visit(e->getLHS()), sign, value);
    }
    return Updated(e->getLHS(), value, e);
  }
  const clang::OverloadedOperatorKind op =
      clang::BinaryOperator::getOverloadedOperator(e->getOpcode());
  return Operation(op, e->getLHS(), e->getRHS(), e);
}

std::string Translator::Operation(clang::OverloadedOperatorKind op, const Expr* a, const Expr* b,
                                  const Expr* whole) {
  if (op == clang::OO_LessLess && IsStream(Leftmost(whole))) {
    std::string parts = Visit(b);
    for (const Expr* at = a->IgnoreParenImpCasts(); !IsStream(at) || at != Leftmost(at);) {
      const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at);
      const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(at);
      if (call == nullptr && binary == nullptr) break;
      parts = Visit(call != nullptr ? call->getArg(1) : binary->getRHS()) + ", " + parts;
      at = (call != nullptr ? call->getArg(0) : binary->getLHS())->IgnoreParenImpCasts();
    }
    return fmt::format("_cpp.printed({})", parts);
  }
  if (!a->isTypeDependent() && !b->isTypeDependent() && AreCharacters(a, b)) {
    a = a->IgnoreParenImpCasts();
    b = b->IgnoreParenImpCasts();
  }
  const bool floating = whole->getType()->isFloatingType();
  const std::string left =
      op == clang::OO_AmpAmp || op == clang::OO_PipePipe ? Condition(a) : Visit(a);
  const std::string right =
      op == clang::OO_AmpAmp || op == clang::OO_PipePipe ? Condition(b) : Visit(b);
  switch (op) {
    case clang::OO_Slash:
      if (floating) return fmt::format("({} / {})", left, right);
      return fmt::format("_cpp.over({}, {})", left, right);
    case clang::OO_Percent:
      return fmt::format("_cpp.rest({}, {})", left, right);
    case clang::OO_AmpAmp:
      return fmt::format("({} and {})", left, right);
    case clang::OO_PipePipe:
      return fmt::format("({} or {})", left, right);
    case clang::OO_Plus:
    case clang::OO_Minus:
      if (IsIterator(a)) return fmt::format("_cpp.place({}, {})", left, right);
      break;
    case clang::OO_Comma:
      return fmt::format("({}, {})[1]", left, right);
    case clang::OO_EqualEqual:
    case clang::OO_ExclaimEqual:
      if (IsNull(a) || IsNull(b)) {
        return fmt::format("({} {} {})", left, op == clang::OO_EqualEqual ? "is" : "is not", right);
      }
      break;
    case clang::OO_Spaceship:
    case clang::OO_None:
    case clang::OO_ArrowStar:
      return Unfollowed(whole);
    default:
      break;
  }
  return fmt::format("({} {} {})", left, clang::getOperatorSpelling(op), right);
}

std::string Translator::VisitLambdaExpr(const clang::LambdaExpr* e) {
  const clang::CXXMethodDecl* call = e->getCallOperator();
  std::string name = fmt::format("_lambda_{}", ++lambdas_);
  const int32_t line = LineOf(e->getBeginLoc());
  scopes_.emplace_back();
  writer_.Line(line, fmt::format("def {}({}):", name, Parameters(call, false)));
  writer_.Indent();
  const clang::Stmt* body = e->getBody();
  WriteOuterNames(body, call);
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    WriteStatements(llvm::ArrayRef<const clang::Stmt*>(block->body_begin(), block->size()));
  }
  writer_.Line(line, "pass");
  writer_.Dedent();
  scopes_.pop_back();
  return name;
}

}  // namespace tilewise::cpp
