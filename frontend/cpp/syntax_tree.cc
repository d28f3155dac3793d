// Clang parses as a compiler does that only checks the syntax, and keeps the tree.

#include "frontend/cpp/syntax_tree.h"

#include <utility>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/SemaConsumer.h>

#include "frontend/cpp/parse_budget.h"
#include "frontend/cpp/project_files.h"

namespace tilewise::cpp {
namespace {

// A header of LibTorch takes most of its time for bodies that no rule and no model looks into.
class Consumer : public clang::SemaConsumer {
 public:
  Consumer(const clang::SourceManager& sources, std::shared_ptr<ParseBudget> budget)
      : files_(sources), budget_(std::move(budget)) {}
  void InitializeSema(clang::Sema& sema) override { ParseBudget::Watch(budget_, sema); }
  bool HandleTopLevelDecl(clang::DeclGroupRef /*declared*/) override { return budget_->Left(); }
  bool shouldSkipFunctionBody(clang::Decl* function) override {
    return !files_.Has(function->getLocation());
  }

 private:
  ProjectFiles files_;
  std::shared_ptr<ParseBudget> budget_;
};

class Action : public clang::ASTFrontendAction {
 public:
  explicit Action(std::shared_ptr<ParseBudget> budget) : budget_(std::move(budget)) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef /*file*/) override {
    ParseBudget::Watch(budget_, compiler.getPreprocessor());
    return std::make_unique<Consumer>(compiler.getSourceManager(), budget_);
  }

 private:
  std::shared_ptr<ParseBudget> budget_;
};

}  // namespace

SyntaxTree::SyntaxTree(std::unique_ptr<clang::CompilerInstance> compiler,
                       std::shared_ptr<ParseBudget> budget)
    : compiler_(std::move(compiler)), action_(std::make_unique<Action>(std::move(budget))) {}

std::unique_ptr<SyntaxTree> SyntaxTree::Parse(std::unique_ptr<clang::CompilerInstance> compiler,
                                              const std::shared_ptr<ParseBudget>& budget) {
  budget->Begin();
  clang::FrontendOptions& options = compiler->getFrontendOpts();
  options.SkipFunctionBodies = true;
  options.DisableFree = false;
  if (options.Inputs.empty() || !compiler->createTarget()) return nullptr;
  std::unique_ptr<SyntaxTree> tree(new SyntaxTree(std::move(compiler), budget));
  if (!tree->action_->BeginSourceFile(*tree->compiler_, options.Inputs.front())) return nullptr;
  tree->begun_ = true;
  if (llvm::Error error = tree->action_->Execute()) llvm::consumeError(std::move(error));
  budget->End();
  return tree;
}

std::vector<clang::FileEntryRef> SyntaxTree::files() const {
  std::vector<clang::FileEntryRef> files;
  for (auto each = sources().fileinfo_begin(); each != sources().fileinfo_end(); ++each) {
    files.push_back(each->first);
  }
  return files;
}

const clang::Stmt* SyntaxTree::TooDeep() const {
  // Clang takes 256 brackets within each other, each of which is a few levels.
  constexpr int kMostLevels = 4000;
  const ProjectFiles files(sources());
  std::vector<std::pair<const clang::Stmt*, int>> open;
  std::vector<const clang::DeclContext*> contexts = {context().getTranslationUnitDecl()};
  while (!contexts.empty()) {
    const clang::DeclContext* around = contexts.back();
    contexts.pop_back();
    for (const clang::Decl* decl : around->noload_decls()) {
      if (!files.Has(decl->getLocation())) {
        // A namespace of a library may go on in a source of the project.
        if (!llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl)) continue;
      }
      if (const auto* made_of = llvm::dyn_cast<clang::TemplateDecl>(decl)) {
        decl = made_of->getTemplatedDecl();
        if (decl == nullptr) continue;
      }
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (variable != nullptr && variable->hasInit()) open.emplace_back(variable->getInit(), 0);
      if (const clang::Stmt* body = decl->getBody()) open.emplace_back(body, 0);
      if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(decl)) {
        for (const auto* each : made->inits()) open.emplace_back(each->getInit(), 0);
      }
      const auto* inner = llvm::dyn_cast<clang::DeclContext>(decl);
      if (inner != nullptr && !llvm::isa<clang::FunctionDecl>(decl)) contexts.push_back(inner);
    }
    while (!open.empty()) {
      const auto [stmt, level] = open.back();
      open.pop_back();
      if (stmt == nullptr) continue;
      if (level > kMostLevels) return stmt;
      for (const clang::Stmt* child : stmt->children()) {
        open.emplace_back(child, level + 1);
      }
    }
  }
  return nullptr;
}

SyntaxTree::~SyntaxTree() {
  if (begun_) action_->EndSourceFile();
}

}  // namespace tilewise::cpp
