// Clang's tree of one source, with all that its nodes point to.

#pragma once

#include <memory>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>

#include "frontend/cpp/parse_budget.h"

namespace tilewise::cpp {

class SyntaxTree {
 public:
  // Parses what `compiler` is set up for. Bodies of functions are left out where nothing looks at
  // them: in headers that are not the project's. Null: Clang cannot begin. A tree whose budget was
  // used up is not whole.
  static std::unique_ptr<SyntaxTree> Parse(std::unique_ptr<clang::CompilerInstance> compiler,
                                           const std::shared_ptr<ParseBudget>& budget);
  ~SyntaxTree();
  SyntaxTree(const SyntaxTree&) = delete;
  SyntaxTree& operator=(const SyntaxTree&) = delete;

  clang::ASTContext& context() const { return compiler_->getASTContext(); }
  const clang::SourceManager& sources() const { return compiler_->getSourceManager(); }
  const clang::Preprocessor& preprocessor() const { return compiler_->getPreprocessor(); }
  // The files that were read. To look into one may load others, precompiled ones.
  std::vector<clang::FileEntryRef> files() const;
  // A statement of the project that nests deeper than what walks the tree by recursion can take:
  // a sum of thousands of terms. Null: none.
  const clang::Stmt* TooDeep() const;

 private:
  SyntaxTree(std::unique_ptr<clang::CompilerInstance> compiler,
             std::shared_ptr<ParseBudget> budget);

  std::unique_ptr<clang::CompilerInstance> compiler_;
  std::unique_ptr<clang::FrontendAction> action_;
  bool begun_ = false;
};

}  // namespace tilewise::cpp
