// A local variable is followed by Clang's own analysis of mutations. For what has a longer life
// every use in the source is looked at: one that does more than read the value may change it.

#include "frontend/cpp/fixed_values.h"

#include <utility>

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/cpp/unresolved_calls.h"

namespace tilewise::cpp {
namespace {

const clang::FunctionDecl* FunctionOf(const clang::VarDecl& variable) {
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(
      variable.getParentFunctionOrMethod() == nullptr
          ? nullptr
          : clang::Decl::castFromDeclContext(variable.getParentFunctionOrMethod()));
}

bool IsOwnConstructor(const clang::CXXConstructorDecl& constructor) {
  return !constructor.isImplicit() && !constructor.isDeleted() &&
         !constructor.isCopyOrMoveConstructor();
}

// The function as it is written, of which others are instances.
const clang::FunctionDecl* AsWritten(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  return (pattern == nullptr ? function : pattern)->getCanonicalDecl();
}

// NetImpl of `class Net : public ModuleHolder<NetImpl>`, or of the pointers that own it.
const clang::CXXRecordDecl* MadeInside(const clang::TemplateArgumentList& arguments) {
  if (arguments.size() == 0 || arguments[0].getKind() != clang::TemplateArgument::Type) {
    return nullptr;
  }
  return arguments[0].getAsType()->getAsCXXRecordDecl();
}
const clang::CXXRecordDecl* HeldBy(const clang::CXXRecordDecl* record) {
  if (record == nullptr || !record->hasDefinition()) return nullptr;
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        base.getType()->getAsCXXRecordDecl());
    if (made != nullptr && made->getName() == "ModuleHolder") {
      return MadeInside(made->getTemplateArgs());
    }
  }
  return nullptr;
}

// The constructor that takes so many values; null: there are several.
const clang::CXXConstructorDecl* ConstructorOf(const clang::CXXRecordDecl* record, size_t values) {
  const clang::CXXConstructorDecl* found = nullptr;
  if (record == nullptr || !record->hasDefinition()) return nullptr;
  for (const clang::CXXConstructorDecl* each : record->ctors()) {
    if (!IsOwnConstructor(*each) || each->getMinRequiredArguments() > values ||
        each->getNumParams() < values) {
      continue;
    }
    if (found != nullptr) return nullptr;
    found = each;
  }
  return found;
}

class UseFinder : public clang::RecursiveASTVisitor<UseFinder> {
 public:
  explicit UseFinder(UsesOfSource& uses) : uses_(uses) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  // What stands below a conversion to a value, or to something constant, is read alone.
  bool TraverseImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    const clang::Expr* inner = cast->getSubExpr()->IgnoreParens();
    const bool reads =
        cast->getCastKind() == clang::CK_LValueToRValue ||
        (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified());
    if (reads) {
      if (llvm::isa<clang::DeclRefExpr>(inner)) return true;
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner)) {
        return TraverseStmt(member->getBase());
      }
    }
    return RecursiveASTVisitor::TraverseImplicitCastExpr(cast);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) {
    uses_.changed.insert(name->getDecl());
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function != nullptr && called_.erase(name) == 0) {
      uses_.handed_on.insert(AsWritten(function));
    }
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    uses_.changed.insert(member->getMemberDecl());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* function = call->getDirectCallee();
    if (function == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call)) return true;
    called_.insert(call->getCallee()->IgnoreParenImpCasts());
    uses_.calls[AsWritten(function)].emplace_back(call->arg_begin(), call->arg_end());
    const bool makes =
        function->getIdentifier() != nullptr &&
        (function->getName() == "make_shared" || function->getName() == "make_unique");
    if (makes && function->getTemplateSpecializationArgs() != nullptr) {
      NoteMade(MadeInside(*function->getTemplateSpecializationArgs()),
               {call->getArgs(), call->getNumArgs()});
    }
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) {
    uses_.calls[AsWritten(made->getConstructor())].emplace_back(made->arg_begin(), made->arg_end());
    if (!made->getConstructor()->isCopyOrMoveConstructor()) {
      NoteMade(HeldBy(made->getConstructor()->getParent()), {made->getArgs(), made->getNumArgs()});
    }
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    uses_.is_program = uses_.is_program || function->isMain();
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) {
    uses_.changed_names.insert(member->getMember().getAsString());
    return true;
  }
  // Visits only the form with its conversions: the other one has bare names.
  bool TraverseInitListExpr(clang::InitListExpr* list) {
    if (clang::InitListExpr* const semantic = list->getSemanticForm()) list = semantic;
    VisitInitListExpr(list);
    for (clang::Stmt* child : list->children()) {
      if (child != nullptr && !TraverseStmt(child)) return false;
    }
    return true;
  }
  bool VisitInitListExpr(clang::InitListExpr* list) {
    const clang::RecordDecl* type = list->getType()->getAsRecordDecl();
    if (type == nullptr) return true;
    auto field = type->field_begin();
    for (const clang::Expr* init : list->inits()) {
      if (field == type->field_end()) break;
      if (!llvm::isa_and_nonnull<clang::CXXDefaultInitExpr>(init)) uses_.changed.insert(*field);
      ++field;
    }
    return true;
  }
  bool VisitDesignatedInitExpr(clang::DesignatedInitExpr* init) {
    for (const clang::DesignatedInitExpr::Designator& each : init->designators()) {
      if (each.isFieldDesignator()) {
        uses_.changed_names.insert(each.getFieldName()->getName().str());
      }
    }
    return true;
  }

 private:
  // What a holder or make_shared() passes to the constructor of what it makes.
  void NoteMade(const clang::CXXRecordDecl* record, llvm::ArrayRef<const clang::Expr*> arguments) {
    const clang::CXXConstructorDecl* made = ConstructorOf(record, arguments.size());
    if (made == nullptr) return;
    std::vector<const clang::Expr*> given = arguments;
    for (size_t i = given.size(); i < made->getNumParams(); ++i) {
      const clang::ParmVarDecl* parameter = made->getParamDecl(i);
      if (parameter->hasUninstantiatedDefaultArg()) return;
      given.push_back(parameter->getDefaultArg());
    }
    uses_.calls[AsWritten(made)].push_back(std::move(given));
  }

  UsesOfSource& uses_;
  std::set<const clang::Expr*> called_;
};

bool MayChangeIn(const clang::FunctionDecl& function, const clang::VarDecl& variable,
                 clang::ASTContext& context) {
  const clang::Stmt& body = *function.getBody();
  return clang::ExprMutationAnalyzer(body, context).isMutated(&variable) ||
         MayBeSetUnseen(&body, &variable);
}

bool InMainFile(const clang::Decl& declared, const clang::SourceManager& sources) {
  return sources.isInMainFile(sources.getFileLoc(declared.getLocation()));
}

}  // namespace

void FixedValues::Find() {
  if (std::exchange(found_, true)) return;
  UseFinder finder(uses_);
  const clang::SourceManager& sources = context_.getSourceManager();
  for (clang::Decl* declared : context_.getTranslationUnitDecl()->noload_decls()) {
    if (InMainFile(*declared, sources)) finder.TraverseDecl(declared);
  }
}

bool FixedValues::IsFixed(const clang::VarDecl& variable) {
  const auto known = fixed_.find(&variable);
  if (known != fixed_.end()) return known->second;
  return fixed_[&variable] = FindIsFixed(variable);
}

bool FixedValues::FindIsFixed(const clang::VarDecl& variable) {
  if (variable.getType().isConstQualified() || variable.isConstexpr()) return true;
  if (variable.isLocalVarDecl() && !variable.isStaticLocal()) {
    const clang::FunctionDecl* function = FunctionOf(variable);
    if (function == nullptr || !function->hasBody()) return false;
    return !MayChangeIn(*function, variable, context_);
  }
  const bool own = variable.isStaticLocal() || variable.isInAnonymousNamespace() ||
                   variable.getStorageClass() == clang::SC_Static;
  if (!own || variable.isStaticDataMember()) return false;
  if (!InMainFile(variable, context_.getSourceManager())) return false;
  Find();
  return !uses_.changed.contains(&variable);
}

std::vector<const clang::Expr*> FixedValues::InitialisersOf(const clang::FieldDecl& field) {
  const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (owner == nullptr) return {};
  const bool constant = field.getType().isConstQualified();
  if (!constant && !InMainFile(field, context_.getSourceManager())) return {};
  Find();
  const bool changed =
      uses_.changed.contains(&field) || uses_.changed_names.contains(field.getNameAsString());
  if (!constant && changed) return {};
  std::vector<const clang::Expr*> found;
  bool own = false;
  for (const clang::CXXConstructorDecl* each : owner->ctors()) {
    if (!IsOwnConstructor(*each) || each->isDelegatingConstructor()) continue;
    own = true;
    const clang::FunctionDecl* defined = nullptr;
    if (!each->isDefaulted() && !each->hasBody(defined)) return {};
    const clang::Expr* init = field.getInClassInitializer();
    if (const auto* made = llvm::cast_or_null<clang::CXXConstructorDecl>(defined)) {
      for (const clang::CXXCtorInitializer* written : made->inits()) {
        const bool sets = written->getAnyMember() == &field && written->isWritten();
        if (sets) init = written->getInit();
      }
    }
    if (init == nullptr) return {};
    found.push_back(init);
  }
  if (!own && field.hasInClassInitializer()) found.push_back(field.getInClassInitializer());
  return found;
}

// Whether the source has all calls of the function.
bool FixedValues::IsOfProgram(const clang::FunctionDecl& function) {
  Find();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method != nullptr && method->isVirtual()) return false;
  if (!InMainFile(function, context_.getSourceManager())) return false;
  const bool inside = function.isInAnonymousNamespace() ||
                      function.getStorageClass() == clang::SC_Static || uses_.is_program;
  return inside && !function.isMain() && !uses_.handed_on.contains(AsWritten(&function));
}

std::vector<const clang::Expr*> FixedValues::GivenTo(const clang::ParmVarDecl& parameter) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter.getDeclContext());
  const clang::FunctionDecl* defined = nullptr;
  if (function == nullptr || !function->hasBody(defined) || defined != function) return {};
  if (!IsOfProgram(*function)) return {};
  const auto calls = uses_.calls.find(AsWritten(function));
  if (calls == uses_.calls.end()) return {};
  if (MayChangeIn(*function, parameter, context_)) return {};
  std::vector<const clang::Expr*> found;
  for (const std::vector<const clang::Expr*>& arguments : calls->second) {
    const unsigned index = parameter.getFunctionScopeIndex();
    if (index >= arguments.size()) return {};
    const auto* unsaid = llvm::dyn_cast<clang::CXXDefaultArgExpr>(arguments[index]);
    found.push_back(unsaid == nullptr ? arguments[index] : unsaid->getExpr());
  }
  return found;
}

std::optional<int64_t> FixedValues::ArgumentOf(const clang::NonTypeTemplateParmDecl& parameter) {
  if (parameter.isParameterPack() || !InMainFile(parameter, context_.getSourceManager())) {
    return std::nullopt;
  }
  std::optional<int64_t> value;
  const auto agrees = [&](const clang::TemplateArgumentList* arguments) {
    const unsigned index = parameter.getIndex();
    if (arguments == nullptr || index >= arguments->size() ||
        arguments->get(index).getKind() != clang::TemplateArgument::Integral ||
        !arguments->get(index).getAsIntegral().isRepresentableByInt64()) {
      return false;
    }
    const int64_t here = arguments->get(index).getAsIntegral().getExtValue();
    return std::exchange(value, here).value_or(here) == here;
  };
  const clang::DeclContext* owner = parameter.getDeclContext();
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(owner)) {
    const clang::ClassTemplateDecl* made_of = record->getDescribedClassTemplate();
    if (made_of == nullptr) return std::nullopt;
    for (const auto* each : made_of->specializations()) {
      if (!agrees(&each->getTemplateArgs())) return std::nullopt;
    }
  } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(owner)) {
    const clang::FunctionTemplateDecl* made_of = function->getDescribedFunctionTemplate();
    if (made_of == nullptr) return std::nullopt;
    for (const auto* each : made_of->specializations()) {
      if (!agrees(each->getTemplateSpecializationArgs())) return std::nullopt;
    }
  }
  return value;
}

}  // namespace tilewise::cpp
