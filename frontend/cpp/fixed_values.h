// Which variables and members of a source keep the value that they are initialised with.

#pragma once

#include <set>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace tilewise::cpp {

class FixedValues {
 public:
  explicit FixedValues(clang::ASTContext& context) : context_(context) {}

  // What other sources may set is not fixed: a variable that they see, a member of a class that a
  // header declares.
  bool IsFixed(const clang::VarDecl& variable);
  bool IsFixed(const clang::FieldDecl& field);

 private:
  void Find();

  clang::ASTContext& context_;
  bool found_ = false;
  std::set<const clang::ValueDecl*> changed_;  // or handed to what may change them
  std::set<std::string> changed_names_;        // of members that templates use
};

}  // namespace tilewise::cpp
