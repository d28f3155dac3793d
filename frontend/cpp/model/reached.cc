// Follows names, types and templates through the project's declarations, each of them once.

#include "frontend/cpp/model/reached.h"

#include <vector>

#include <clang/AST/RecursiveASTVisitor.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/project_files.h"

namespace tilewise::cpp {
namespace {

using clang::CXXRecordDecl;
using clang::Decl;

class Reach : public clang::RecursiveASTVisitor<Reach> {
 public:
  Reach(const clang::SourceManager& sources, const std::set<std::string>* asked)
      : sources_(sources), files_(sources), asked_(asked) {}

  // Begins with what stands in a namespace.
  void Begin(const clang::DeclContext* context) {
    for (Decl* each : context->noload_decls()) {
      const Decl* decl = Templated(each);
      if (decl == nullptr) continue;
      if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl)) {
        Begin(llvm::cast<clang::DeclContext>(decl));
        continue;
      }
      const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
      if (named == nullptr || !files_.Has(named->getLocation())) continue;
      const bool here = sources_.isInMainFile(sources_.getExpansionLoc(named->getLocation()));
      const bool begins = asked_ == nullptr || llvm::isa<clang::VarDecl>(named)
                              ? here
                              : asked_->contains(named->getQualifiedNameAsString());
      if (begins) Add(named);
    }
  }

  Reached Follow() {
    while (!open_.empty()) {
      const Decl* decl = open_.back();
      open_.pop_back();
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
        FollowFunction(function);
      } else if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(decl)) {
        FollowClass(record);
      } else {
        Traverse(decl);
      }
    }
    return {std::move(lacking_), std::move(seen_)};
  }

  // --- What Clang's visitor finds.
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) { return Add(e->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* e) { return Add(e->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) { return Add(e->getConstructor()); }
  bool VisitOverloadExpr(clang::OverloadExpr* e) {
    for (const clang::NamedDecl* each : e->decls()) Add(each);
    return true;
  }
  bool VisitRecordType(clang::RecordType* type) { return Add(type->getDecl()); }
  bool VisitTypedefType(clang::TypedefType* type) { return Add(type->getDecl()); }
  bool VisitTemplateSpecializationType(clang::TemplateSpecializationType* type) {
    return Add(type->getTemplateName().getAsTemplateDecl());
  }
  bool VisitCXXRecordDecl(CXXRecordDecl* record) { return Add(record); }
  // The type that `auto` stands for is written nowhere.
  bool VisitVarDecl(clang::VarDecl* variable) { return TraverseType(variable->getType()); }

 private:
  void Traverse(const Decl* decl) { TraverseDecl(const_cast<Decl*>(decl)); }

  // Always true, as the visitor goes on.
  bool Add(const Decl* decl) {
    if (const auto* shadow = llvm::dyn_cast_or_null<clang::UsingShadowDecl>(decl)) {
      decl = shadow->getTargetDecl();
    }
    if (decl != nullptr) decl = Templated(decl);
    if (decl == nullptr) return true;
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (const auto* pattern = function->getTemplateInstantiationPattern()) decl = pattern;
    }
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl)) Add(method->getParent());
    const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(decl);
    if (made != nullptr && !made->isExplicitSpecialization() && seen_.insert(made).second) {
      for (const clang::TemplateArgument& each : made->getTemplateArgs().asArray()) {
        if (each.getKind() == clang::TemplateArgument::Type) TraverseType(each.getAsType());
      }
      Add(made->getTemplateInstantiationPattern());
      return true;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    const bool is_kind =
        llvm::isa<clang::FunctionDecl, CXXRecordDecl, clang::TypedefNameDecl>(decl) ||
        (variable != nullptr && variable->hasGlobalStorage());
    if (!is_kind || !files_.Has(decl->getLocation())) return true;
    if (seen_.insert(decl->getCanonicalDecl()).second) open_.push_back(decl);
    return true;
  }

  void FollowFunction(const clang::FunctionDecl* function) {
    Traverse(function);  // its default arguments stand where it is declared
    const clang::FunctionDecl* definition = WithBody(function);
    if (definition != nullptr && definition != function) Traverse(definition);
    const bool is_named = function->getIdentifier() != nullptr && !function->isMain();
    if (definition == nullptr && is_named && !llvm::isa<clang::CXXMethodDecl>(function)) {
      lacking_.insert(function->getQualifiedNameAsString());
    }
  }

  void FollowClass(const CXXRecordDecl* record) {
    record = record->getDefinition();
    if (record == nullptr) return;
    Traverse(record);
    for (const Decl* each : record->decls()) {
      const auto* method = llvm::dyn_cast_or_null<clang::FunctionDecl>(Templated(each));
      const clang::FunctionDecl* definition = method == nullptr ? nullptr : WithBody(method);
      if (definition != nullptr && definition != method) Traverse(definition);
    }
    if (record->getIdentifier() != nullptr && LacksBodies(record)) {
      lacking_.insert(record->getQualifiedNameAsString());
    }
  }

  const clang::SourceManager& sources_;
  ProjectFiles files_;
  const std::set<std::string>* asked_;
  std::set<const Decl*> seen_;
  std::vector<const Decl*> open_;
  std::set<std::string> lacking_;
};

}  // namespace

Reached ReachedFrom(const clang::ASTContext& context, const std::set<std::string>* asked) {
  Reach reach(context.getSourceManager(), asked);
  reach.Begin(context.getTranslationUnitDecl());
  return reach.Follow();
}

}  // namespace tilewise::cpp
