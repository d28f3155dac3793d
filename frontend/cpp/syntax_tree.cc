// Clang parses as a compiler does that only checks the syntax, and keeps the tree.

#include "frontend/cpp/syntax_tree.h"

#include <utility>

#include <clang/AST/ASTConsumer.h>

#include "frontend/cpp/project_files.h"

namespace tilewise::cpp {
namespace {

// A header of LibTorch takes most of its time for bodies that no rule and no model looks into.
class Consumer : public clang::ASTConsumer {
 public:
  explicit Consumer(const clang::SourceManager& sources) : files_(sources) {}
  bool shouldSkipFunctionBody(clang::Decl* function) override {
    return !files_.Has(function->getLocation());
  }

 private:
  ProjectFiles files_;
};

class Action : public clang::ASTFrontendAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<Consumer>(compiler.getSourceManager());
  }
};

}  // namespace

SyntaxTree::SyntaxTree(std::unique_ptr<clang::CompilerInstance> compiler)
    : compiler_(std::move(compiler)), action_(std::make_unique<Action>()) {}

std::unique_ptr<SyntaxTree> SyntaxTree::Parse(std::unique_ptr<clang::CompilerInstance> compiler) {
  clang::FrontendOptions& options = compiler->getFrontendOpts();
  options.SkipFunctionBodies = true;
  options.DisableFree = false;
  if (options.Inputs.empty() || !compiler->createTarget()) return nullptr;
  std::unique_ptr<SyntaxTree> tree(new SyntaxTree(std::move(compiler)));
  if (!tree->action_->BeginSourceFile(*tree->compiler_, options.Inputs.front())) return nullptr;
  tree->begun_ = true;
  if (llvm::Error error = tree->action_->Execute()) llvm::consumeError(std::move(error));
  return tree;
}

SyntaxTree::~SyntaxTree() {
  if (begun_) action_->EndSourceFile();
}

}  // namespace tilewise::cpp
