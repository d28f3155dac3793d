// Loops over lists by places in them: `for (auto it = list.begin(); it != list.end(); ++it)`, and
// such a place that a `while` moves.

#pragma once

#include <optional>
#include <vector>

#include <clang/AST/Stmt.h>

namespace tilewise::cpp {

// The variable of a loop that begins with begin() of a list; null: it does not.
const clang::VarDecl* PlaceOf(const clang::ForStmt* stmt);

// A loop that looks at each item once, and changes neither the place nor the item by it.
struct IteratedLoop {
  const clang::VarDecl* place;
  const clang::Expr* list;   // of begin()
  const clang::Expr* until;  // the list of end(), which should be the same one
};
std::optional<IteratedLoop> IteratedOf(const clang::ForStmt* stmt);

// Any other loop that runs until a variable is the end of a list. `body`: what a round does with
// the item, where the place begins with begin() and each round ends with its next one; else it is
// empty.
struct PlacedLoop {
  const clang::VarDecl* place;
  const clang::Expr* until;  // the list of end()
  std::vector<const clang::Stmt*> body;
};
std::optional<PlacedLoop> PlacedOf(const clang::Expr* condition, const clang::Expr* step,
                                   const clang::Stmt* body);

}  // namespace tilewise::cpp
