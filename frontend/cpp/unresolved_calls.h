// Calls of functions that no header declares, which may set what they are given.

#pragma once

#include <string>
#include <vector>

#include <clang/AST/ExprCXX.h>

namespace tilewise::cpp {

struct UnresolvedCall {
  std::string name;  // "read"; empty: it makes a value of a type that is not declared
  // Arguments that are variables, which it may get by reference; `>>` has its right side.
  std::vector<const clang::Expr*> may_set;
};

// What a statement itself is, without its parts. It sets nothing where it is a call that Clang
// resolves, or one of a function that writes messages, by its name.
UnresolvedCall UnresolvedCallOf(const clang::Stmt* stmt);

// Whether such a call within the statement may set the variable.
bool MayBeSetUnseen(const clang::Stmt* stmt, const clang::ValueDecl* variable);

}  // namespace tilewise::cpp
