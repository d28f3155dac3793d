// A local variable is followed by Clang's own analysis of mutations. For what has a longer life
// every use in the source is looked at: one that does more than read the value may change it.

#include "frontend/cpp/fixed_values.h"

#include <utility>

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Analysis/Analyses/ExprMutationAnalyzer.h>
#include <clang/Basic/SourceManager.h>

namespace tilewise::cpp {
namespace {

const clang::FunctionDecl* FunctionOf(const clang::VarDecl& variable) {
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(
      variable.getParentFunctionOrMethod() == nullptr
          ? nullptr
          : clang::Decl::castFromDeclContext(variable.getParentFunctionOrMethod()));
}

// A constructor of the class sets the member to something else than its initialiser.
bool IsSetByConstructor(const clang::FieldDecl& field) {
  const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (owner == nullptr) return true;
  for (const clang::CXXConstructorDecl* constructor : owner->ctors()) {
    for (const clang::CXXCtorInitializer* init : constructor->inits()) {
      if (init->getAnyMember() == &field && !init->isInClassMemberInitializer()) return true;
    }
  }
  return false;
}

class UseFinder : public clang::RecursiveASTVisitor<UseFinder> {
 public:
  UseFinder(std::set<const clang::ValueDecl*>& changed, std::set<std::string>& names)
      : changed_(changed), names_(names) {}

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
    changed_.insert(name->getDecl());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    changed_.insert(member->getMemberDecl());
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) {
    names_.insert(member->getMember().getAsString());
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
      if (!llvm::isa_and_nonnull<clang::CXXDefaultInitExpr>(init)) changed_.insert(*field);
      ++field;
    }
    return true;
  }
  bool VisitDesignatedInitExpr(clang::DesignatedInitExpr* init) {
    for (const clang::DesignatedInitExpr::Designator& each : init->designators()) {
      if (each.isFieldDesignator()) names_.insert(each.getFieldName()->getName().str());
    }
    return true;
  }

 private:
  std::set<const clang::ValueDecl*>& changed_;
  std::set<std::string>& names_;
};

bool InMainFile(const clang::Decl& declared, const clang::SourceManager& sources) {
  return sources.isInMainFile(sources.getFileLoc(declared.getLocation()));
}

}  // namespace

void FixedValues::Find() {
  if (std::exchange(found_, true)) return;
  UseFinder finder(changed_, changed_names_);
  const clang::SourceManager& sources = context_.getSourceManager();
  for (clang::Decl* declared : context_.getTranslationUnitDecl()->decls()) {
    if (InMainFile(*declared, sources)) finder.TraverseDecl(declared);
  }
}

bool FixedValues::IsFixed(const clang::VarDecl& variable) {
  if (variable.getType().isConstQualified() || variable.isConstexpr()) return true;
  if (variable.isLocalVarDecl() && !variable.isStaticLocal()) {
    const clang::FunctionDecl* function = FunctionOf(variable);
    if (function == nullptr || !function->hasBody()) return false;
    return !clang::ExprMutationAnalyzer(*function->getBody(), context_).isMutated(&variable);
  }
  const bool own = variable.isStaticLocal() || variable.isInAnonymousNamespace() ||
                   variable.getStorageClass() == clang::SC_Static;
  if (!own || variable.isStaticDataMember()) return false;
  if (!InMainFile(variable, context_.getSourceManager())) return false;
  Find();
  return !changed_.contains(&variable);
}

bool FixedValues::IsFixed(const clang::FieldDecl& field) {
  if (!field.hasInClassInitializer() || IsSetByConstructor(field)) return false;
  if (field.getType().isConstQualified()) return true;
  if (!InMainFile(field, context_.getSourceManager())) return false;
  Find();
  return !changed_.contains(&field) && !changed_names_.contains(field.getNameAsString());
}

}  // namespace tilewise::cpp
