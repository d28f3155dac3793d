// Loops over lists by places in them: `for (auto it = list.begin(); it != list.end(); ++it)`.

#pragma once

#include <optional>

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

}  // namespace tilewise::cpp
