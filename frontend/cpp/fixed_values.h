// What variables, members, parameters and template parameters of a source are for good.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>

namespace tilewise::cpp {

// How a source uses what is declared.
struct UsesOfSource {
  std::set<const clang::ValueDecl*> changed;  // by more than reading its value
  std::set<std::string> changed_names;        // members of types that are not known
  std::map<const clang::FunctionDecl*, std::vector<std::vector<const clang::Expr*>>> calls;
  std::set<const clang::FunctionDecl*> handed_on;  // to callers that are not seen
  bool is_program = false;                         // it has main()
};

class FixedValues {
 public:
  explicit FixedValues(clang::ASTContext& context) : context_(context) {}

  // What other sources may set is not fixed: a variable that they see.
  bool IsFixed(const clang::VarDecl& variable);
  // What a member that nothing else changes is initialised with, by each constructor; empty: that
  // is not known, as for members of a class that a header declares.
  std::vector<const clang::Expr*> InitialisersOf(const clang::FieldDecl& field);
  // What the calls of a function give to its parameter, defaults included; empty: that is not
  // known, since other sources may call it, or since its body changes the parameter.
  std::vector<const clang::Expr*> GivenTo(const clang::ParmVarDecl& parameter);
  // The number that all uses of a template give to its parameter.
  std::optional<int64_t> ArgumentOf(const clang::NonTypeTemplateParmDecl& parameter);

 private:
  void Find();
  bool FindIsFixed(const clang::VarDecl& variable);
  bool IsOfProgram(const clang::FunctionDecl& function);

  clang::ASTContext& context_;
  bool found_ = false;
  UsesOfSource uses_;
  std::map<const clang::VarDecl*, bool> fixed_;  // an analysis goes through a whole function
};

}  // namespace tilewise::cpp
