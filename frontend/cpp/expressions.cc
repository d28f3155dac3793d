// Works on trees with errors: what Clang could not resolve still has names and literals.

#include "frontend/cpp/expressions.h"

#include <algorithm>
#include <array>

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace tilewise::cpp {
namespace {

constexpr size_t kLongestText = 200;

struct OpName {
  std::string_view cpp;
  std::string_view python;
};
constexpr std::array kOpNames = {
#define TW_CPP_OP(cpp, python) OpName{cpp, python},
#include "frontend/cpp/op_names.def"
#undef TW_CPP_OP
};

// The variables below a statement.
class NameFinder : public clang::RecursiveASTVisitor<NameFinder> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) {
    if (llvm::isa<clang::VarDecl>(name->getDecl())) Add(name->getDecl()->getNameAsString());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    const bool own = llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    if (own && llvm::isa<clang::FieldDecl>(member->getMemberDecl())) {
      Add(member->getMemberDecl()->getNameAsString());
    }
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) {
    if (member->isImplicitAccess()) Add(member->getMember().getAsString());
    return true;
  }
  // Whether a pointer is null is no value of what it points to.
  bool TraverseImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_PointerToBoolean) return true;
    return RecursiveASTVisitor::TraverseImplicitCastExpr(cast);
  }
  std::vector<std::string> names;

 private:
  void Add(std::string name) {
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    names.push_back(std::move(name));
  }
};

std::string WithDots(std::string name) {
  for (size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at)) {
    name.replace(at, 2, ".");
  }
  return name;
}

// The constructor that is written as a conversion: `Options(64)`; else the expression.
const clang::Expr* Constructed(const clang::Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  for (int depth = 0; depth < 8; ++depth) {
    const clang::Expr* inner = expression;
    if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expression)) {
      inner = cast->getSubExpr();
    } else if (const auto* kept = llvm::dyn_cast<clang::FullExpr>(expression)) {
      inner = kept->getSubExpr();
    } else if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
      inner = made->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) {
      inner = bound->getSubExpr();
    } else if (const auto* copied = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      // What is passed by value is copied, or moved.
      if (copied->getConstructor()->isCopyOrMoveConstructor() && copied->getNumArgs() > 0) {
        inner = copied->getArg(0);
      }
    }
    inner = inner->IgnoreParenImpCasts();
    if (inner == expression) break;
    expression = inner;
  }
  return expression;
}

bool IsOptions(const clang::NamedDecl* type) {
  return type != nullptr && type->getName().ends_with("Options");
}

}  // namespace

std::string DottedName(const clang::NamedDecl& declared) {
  std::string name = declared.getQualifiedNameAsString();
  for (const OpName& op : kOpNames) {
    if (op.cpp == name) return std::string(op.python);
  }
  name = WithDots(std::move(name));
  for (const std::string_view core : {"at.", "c10."}) {
    if (name.starts_with(core)) return "torch." + name.substr(core.size());
  }
  return name;
}

bool IsOfLibrary(std::string_view dotted) {
  constexpr std::array<std::string_view, 4> kLibraries = {"torch.", "xla.", "tensorflow.", "tsl."};
  return std::any_of(kLibraries.begin(), kLibraries.end(),
                     [&](std::string_view library) { return dotted.starts_with(library); });
}

const clang::NamedDecl* ClassOf(clang::QualType type) {
  for (int depth = 0; depth < 4 && !type.isNull(); ++depth) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    if (const auto* known = type->getAs<clang::TemplateSpecializationType>()) {
      const clang::TemplateDecl* pattern = known->getTemplateName().getAsTemplateDecl();
      if (pattern == nullptr) return nullptr;
      const llvm::StringRef name = pattern->getName();
      const bool wraps = name == "unique_ptr" || name == "shared_ptr" || name == "StatusOr";
      if (!wraps) return pattern;
      if (known->template_arguments().empty()) return nullptr;
      type = known->template_arguments()[0].getAsType();
      continue;
    }
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
    if (made == nullptr) return record;
    const llvm::StringRef name = made->getName();
    if (name != "unique_ptr" && name != "shared_ptr" && name != "StatusOr") return record;
    if (made->getTemplateArgs().size() == 0) return nullptr;
    type = made->getTemplateArgs()[0].getAsType();
  }
  return nullptr;
}

const clang::Expr* Written(const clang::Expr* expression) {
  for (const clang::Expr* before = nullptr; expression != nullptr && expression != before;) {
    before = expression;
    expression = expression->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
    if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression)) {
      expression = list->getSubExpr();
    }
    if (const auto* moved = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      const bool named = llvm::isa<clang::CXXTemporaryObjectExpr>(moved);
      if (!named && moved->getNumArgs() >= 1 &&
          (moved->getNumArgs() == 1 || llvm::isa<clang::CXXDefaultArgExpr>(moved->getArg(1)))) {
        expression = moved->getArg(0);
      }
    }
  }
  return expression;
}

CallParts PartsOf(const clang::Expr* expression) {
  CallParts parts;
  const auto take = [&](auto arguments) {
    for (const clang::Expr* argument : arguments) {
      if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) parts.arguments.push_back(argument);
    }
  };
  if (llvm::isa<clang::CXXOperatorCallExpr>(expression)) {
    const auto* call = llvm::cast<clang::CXXOperatorCallExpr>(expression);
    if (call->getOperator() != clang::OO_Call || call->getNumArgs() == 0) return parts;
    parts.callee = call->getArg(0);
    for (unsigned i = 1; i < call->getNumArgs(); ++i) parts.arguments.push_back(call->getArg(i));
    return parts;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    parts.callee = call->getCallee()->IgnoreParenImpCasts();
    take(call->arguments());
    return parts;
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    parts.type = made->getConstructor()->getParent();
    take(made->arguments());
    return parts;
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(expression)) {
    parts.type = ClassOf(made->getTypeAsWritten());
    take(made->arguments());
    return parts;
  }
  // A call that does not fit: its callee, then its arguments.
  if (const auto* lost = llvm::dyn_cast<clang::RecoveryExpr>(expression)) {
    const auto all = lost->subExpressions();
    if (all.empty()) return parts;
    const clang::Expr* first = all[0]->IgnoreParenImpCasts();
    const bool callee =
        llvm::isa<clang::OverloadExpr>(first) ||
        llvm::isa<clang::CXXDependentScopeMemberExpr>(first) ||
        (llvm::isa<clang::MemberExpr>(first) && first->getType()->isPlaceholderType()) ||
        (llvm::isa<clang::DeclRefExpr>(first) && first->getType()->isFunctionType());
    if (!callee) return parts;
    parts.callee = first;
    take(all.drop_front());
  }
  return parts;
}

std::optional<MethodParts> MethodOf(const clang::Expr* callee) {
  MethodParts parts;
  const auto object = [&](const clang::Expr* base) {
    if (base == nullptr) return;
    parts.type = ClassOf(base->getType());
    base = Written(base);
    // `module->forward(x)` goes through the operator of a smart pointer.
    if (const auto* arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base)) {
      const bool passes =
          arrow->getOperator() == clang::OO_Arrow || arrow->getOperator() == clang::OO_Star;
      if (passes && arrow->getNumArgs() > 0) base = Written(arrow->getArg(0));
    }
    if (!llvm::isa<clang::CXXThisExpr>(base)) parts.object = base;
  };
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee)) {
    object(member->getBase());
    parts.name = member->getMemberDecl()->getNameAsString();
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl())) {
      parts.declared_in = method->getParent();
      const bool known = parts.type != nullptr && !IsOfLibrary(DottedName(*method->getParent()));
      if (!known) parts.type = method->getParent();
    }
    return parts;
  }
  if (const auto* member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(callee)) {
    if (!member->isImplicitAccess()) object(member->getBase());
    parts.name = member->getMemberName().getAsString();
    return parts;
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
    if (!member->isImplicitAccess()) object(member->getBase());
    parts.name = member->getMember().getAsString();
    return parts;
  }
  return std::nullopt;
}

bool Expressions::InFile(clang::SourceLocation at) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return at.isValid() && sources.getFileID(sources.getFileLoc(at)) == file_;
}

Location Expressions::PlaceOf(clang::SourceLocation at) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceLocation file = sources.getFileLoc(at);
  Location place;
  place.file = path_;
  if (!InFile(at)) return place;
  place.line = static_cast<int32_t>(sources.getSpellingLineNumber(file));
  place.column = static_cast<int32_t>(sources.getSpellingColumnNumber(file));
  return place;
}

Span Expressions::SpanOf(clang::SourceRange range) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::CharSourceRange file = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(range), sources, context_.getLangOpts());
  if (file.isInvalid() || !InFile(file.getBegin())) return {};
  if (range.getBegin().isMacroID() || range.getEnd().isMacroID()) return {};
  return {.file = path_,
          .begin = sources.getFileOffset(file.getBegin()),
          .end = sources.getFileOffset(file.getEnd())};
}

Span Expressions::NameSpanOf(const clang::Expr* expression, const CallParts& parts) const {
  clang::SourceLocation at;
  if (parts.callee != nullptr) {
    const clang::Expr* callee = parts.callee->IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee)) at = name->getLocation();
    if (const auto* method = llvm::dyn_cast<clang::MemberExpr>(callee)) at = method->getMemberLoc();
    if (const auto* any = llvm::dyn_cast<clang::OverloadExpr>(callee)) at = any->getNameLoc();
    return at.isValid() ? SpanOf(at) : Span{};
  }
  // A constructor is named by the word before its parenthesis, where that is the type's.
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
  if (made == nullptr || made->getParenOrBraceRange().isInvalid()) return {};
  const Span open = SpanOf(made->getParenOrBraceRange().getBegin());
  const clang::SourceManager& sources = context_.getSourceManager();
  const llvm::StringRef text = sources.getBufferData(file_);
  const llvm::StringRef before = text.substr(0, static_cast<size_t>(open.begin)).rtrim();
  const std::string word = parts.type->getNameAsString();
  if (open.end == 0 || !before.ends_with(word)) return {};
  const auto end = static_cast<int64_t>(before.size());
  return {.file = path_, .begin = end - static_cast<int64_t>(word.size()), .end = end};
}

std::string Expressions::TextOf(const clang::Stmt* statement) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceRange range = statement->getSourceRange();
  const clang::CharSourceRange file = clang::CharSourceRange::getTokenRange(
      sources.getFileLoc(range.getBegin()), sources.getFileLoc(range.getEnd()));
  const llvm::StringRef text = clang::Lexer::getSourceText(file, sources, context_.getLangOpts());
  return text.substr(0, kLongestText).str();
}

std::optional<int64_t> Expressions::NumberOfAll(const std::vector<const clang::Expr*>& all) const {
  // A value that comes of itself is not known.
  constexpr int kDeepest = 8;
  if (all.empty() || depth_ == kDeepest) return {};
  ++depth_;
  std::optional<int64_t> value = NumberOf(all[0]);
  for (size_t i = 1; i < all.size() && value; ++i) {
    if (NumberOf(all[i]) != value) value.reset();
  }
  --depth_;
  return value;
}

std::optional<int64_t> Expressions::NumberOfVariable(const clang::Expr* expression) const {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* made_of = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(name->getDecl())) {
      return fixed_.ArgumentOf(*made_of);
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || variable->isInvalidDecl()) return {};
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
      return NumberOfAll(fixed_.GivenTo(*parameter));
    }
    if (!variable->hasInit() || !fixed_.IsFixed(*variable)) return {};
    return NumberOf(variable->getInit());
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr) return {};
    return NumberOfAll(fixed_.InitialisersOf(*field));
  }
  return {};
}

std::optional<int64_t> Expressions::NumberOf(const clang::Expr* expression) const {
  if (expression == nullptr) return {};
  expression = Written(expression);
  if (!expression->isValueDependent() && expression->getType()->isIntegralOrEnumerationType() &&
      !expression->containsErrors()) {
    clang::Expr::EvalResult result;
    if (expression->EvaluateAsInt(result, context_) &&
        result.Val.getInt().isRepresentableByInt64()) {
      return result.Val.getInt().getExtValue();
    }
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    const std::optional<int64_t> a = NumberOf(binary->getLHS());
    const std::optional<int64_t> b = a ? NumberOf(binary->getRHS()) : std::nullopt;
    if (!b || std::abs(*a) > (int64_t{1} << 31) || std::abs(*b) > (int64_t{1} << 31)) return {};
    switch (binary->getOpcode()) {
      case clang::BO_Add:
        return *a + *b;
      case clang::BO_Sub:
        return *a - *b;
      case clang::BO_Mul:
        return *a * *b;
      case clang::BO_Div:
        return *b == 0 ? std::optional<int64_t>() : *a / *b;
      default:
        return {};
    }
  }
  return NumberOfVariable(expression);
}

std::vector<int64_t> Expressions::NumbersOf(const clang::Expr* expression) const {
  expression = Written(expression);
  const auto collect = [&](auto parts) -> std::vector<int64_t> {
    std::vector<int64_t> numbers;
    for (const clang::Expr* part : parts) {
      const std::optional<int64_t> number = NumberOf(part);
      if (!number) return {};
      numbers.push_back(*number);
    }
    return numbers;
  };
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) {
    return collect(list->inits());
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    return made->getNumArgs() == 1 ? NumbersOf(made->getArg(0)) : std::vector<int64_t>{};
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool list = variable != nullptr && variable->hasInit() &&
                      !llvm::isa<clang::ParmVarDecl>(variable) &&
                      !variable->getType()->isIntegralOrEnumerationType();
    if (list && fixed_.IsFixed(*variable)) return NumbersOf(variable->getInit());
  }
  const std::optional<int64_t> number = NumberOf(expression);
  return number ? std::vector<int64_t>{*number} : std::vector<int64_t>{};
}

std::vector<std::string> Expressions::NamesIn(const clang::Stmt* statement) const {
  NameFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt*>(statement));
  return std::move(finder.names);
}

std::string Expressions::NameOf(const clang::Expr* expression) const {
  expression = Written(expression);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const std::string dotted = DottedName(*name->getDecl());
    return IsOfLibrary(dotted) ? dotted : name->getDecl()->getNameAsString();
  }
  if (const auto* lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(expression)) {
    for (const clang::NamedDecl* each : lookup->decls()) return DottedName(*each);
    return lookup->getName().getAsString();
  }
  if (const auto* unknown = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(expression)) {
    return unknown->getDeclName().getAsString();
  }
  if (const std::optional<MethodParts> member = MethodOf(expression)) {
    if (member->object == nullptr) return "self." + member->name;
    const std::string object = NameOf(member->object);
    return object.empty() ? "" : object + "." + member->name;
  }
  return "";
}

SourceArgument Expressions::ArgumentOf(const clang::Expr* expression) const {
  SourceArgument argument;
  argument.text = TextOf(expression);
  argument.name = NameOf(expression);
  argument.names = NamesIn(expression);
  argument.span = SpanOf(expression->getSourceRange());
  argument.sizes = NumbersOf(expression);
  const clang::Expr* written = Written(expression);
  const auto is_literal = [](const clang::Expr* part) {
    return llvm::isa<clang::IntegerLiteral>(Written(part));
  };
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(written);
  const bool literal =
      is_literal(written) ||
      (list != nullptr && std::all_of(list->inits().begin(), list->inits().end(), is_literal));
  if (literal) argument.integers = argument.sizes;
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(written)) {
    if (text->getCharByteWidth() == 1) argument.string = text->getString().str();
  }
  return argument;
}

bool Expressions::AddOptions(const clang::Expr* expression, std::vector<SourceArgument>& to) const {
  const clang::Expr* before = Constructed(expression);
  expression = Written(expression);
  std::vector<SourceArgument> keywords;
  // `Options(..).stride(2).padding(1)` is read from its end.
  for (int depth = 0; depth < 64; ++depth) {
    const CallParts parts = PartsOf(expression);
    if (parts.callee == nullptr) break;
    const std::optional<MethodParts> method = MethodOf(parts.callee);
    if (!method || method->object == nullptr || parts.arguments.size() != 1) return false;
    SourceArgument& keyword = keywords.emplace_back(ArgumentOf(parts.arguments[0]));
    keyword.keyword = method->name;
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(parts.callee);
    before = Constructed(member != nullptr ? member->getBase() : method->object);
    expression = Written(method->object);
  }
  // One argument alone is what Written() leaves of `DataLoaderOptions(64)`.
  const CallParts made = PartsOf(before);
  if (!IsOptions(made.type)) return false;
  for (const clang::Expr* argument : made.arguments) to.push_back(ArgumentOf(argument));
  to.insert(to.end(), keywords.rbegin(), keywords.rend());
  return true;
}

std::vector<SourceArgument> Expressions::ArgumentsOf(
    const std::vector<const clang::Expr*>& written) const {
  std::vector<SourceArgument> arguments;
  for (const clang::Expr* each : written) {
    if (!AddOptions(each, arguments)) arguments.push_back(ArgumentOf(each));
  }
  return arguments;
}

}  // namespace tilewise::cpp
