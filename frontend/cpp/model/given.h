// What a statement changes without assigning to it: variables that calls get by reference.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/cpp/project_files.h"

namespace tilewise::cpp {

// A variable that a call may set, and what is known of its new value.
struct Given {
  const clang::Expr* variable = nullptr;
  std::string by;                              // "std::cin", "sscanf()"
  const clang::FunctionDecl* owner = nullptr;  // the program's own function that sets it
  unsigned parameter = 0;                      // of that function, or of a library's
  const clang::Expr* option = nullptr;         // the default of the option that it is bound to
  bool keeps = false;                          // bound to an option without a default
  const clang::Expr* file = nullptr;           // the name of the file that it is read from
};

// Looks for what calls set; keeps what it finds out about the program's functions.
class SetByCalls {
 public:
  explicit SetByCalls(const clang::SourceManager& sources) : sources_(sources), files_(sources) {}

  // The variables that the calls of a statement get by reference or by address and may change, in
  // order. Bodies of lambdas are statements of their own.
  std::vector<Given> In(const clang::Stmt* stmt);
  // The parameters that a function sets for its caller; where its body is elsewhere, those that it
  // may set.
  const std::set<unsigned>& ForCaller(const clang::FunctionDecl* function);
  // The parameters through which it may set something, by their types.
  static std::set<unsigned> MayBeSet(const clang::FunctionDecl* function);
  // Adds variables that a body changes, and those that it declares itself.
  void CollectAssigned(const clang::Stmt* stmt, std::set<const clang::VarDecl*>& assigned,
                       std::set<const clang::VarDecl*>& own);

 private:
  void Find(const clang::Stmt* stmt, const clang::Expr* option, std::vector<Given>& found);
  bool FindRead(const clang::Expr* e, std::vector<Given>& found) const;
  void FindCall(const clang::Expr* call, const clang::FunctionDecl* function,
                llvm::ArrayRef<const clang::Expr*> arguments, const clang::Expr* option,
                std::vector<Given>& found);
  void FindOwn(const clang::FunctionDecl* function, bool lambda,
               llvm::ArrayRef<const clang::Expr*> arguments, std::vector<Given>& found);

  const clang::SourceManager& sources_;
  ProjectFiles files_;
  std::map<const clang::FunctionDecl*, std::set<unsigned>> for_caller_;
};

// Whether a statement assigns to the variable, or gives its address away.
bool Changes(const clang::Stmt* stmt, const clang::VarDecl* variable);

// A stream that values are read from: the leftmost operand of `std::cin >> a >> b`; null: none.
const clang::Expr* ReadStream(const clang::Expr* e);

// The name that a stream of a file was made with: of `file` behind `std::ifstream file("a.json")`;
// null: another expression.
const clang::Expr* FileOf(const clang::Expr* stream);

// Whether a class holds values of a configuration file.
bool HoldsSetting(const clang::CXXRecordDecl* record);

// What a reference or a pointer of the function's own stands for as long as it lives: `n` of
// `int& r = n` and of `int* p = &n`; null: it is no other name of a variable.
const clang::Expr* StandsFor(const clang::VarDecl* variable);

}  // namespace tilewise::cpp
