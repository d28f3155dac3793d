// Clang parses as a compiler does that only checks the syntax, and keeps the tree.

#include "frontend/cpp/syntax_tree.h"

#include <utility>

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
  return tree;
}

SyntaxTree::~SyntaxTree() {
  if (begun_) action_->EndSourceFile();
}

}  // namespace tilewise::cpp
