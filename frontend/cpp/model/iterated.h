// Loops over lists by places in them: `for (auto it = list.begin(); it != list.end(); ++it)`, and
// such a place that a `while` moves.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <clang/AST/Stmt.h>

namespace tilewise::cpp {

// The variable of a loop that begins with begin() of a list; null: it does not.
const clang::VarDecl* PlaceOf(const clang::ForStmt* stmt);

// A loop that looks at the items of a list in order, and changes neither the place nor the item by
// it.
struct IteratedLoop {
  const clang::VarDecl* place;
  const clang::Expr* list;             // of begin()
  const clang::Expr* until;            // the list of end(), which should be the same one
  const clang::Expr* first = nullptr;  // n of `begin() + n`; null: 0
  const clang::Expr* left = nullptr;   // n of `end() - n`, which are left out; null: 0
  bool looks_beside = false;           // at `*(place + 1)`, or asks how far the place is
};
std::optional<IteratedLoop> IteratedOf(const clang::ForStmt* stmt);

// What a place in a list is asked for but the item there.
struct BesidePlace {
  const clang::VarDecl* place = nullptr;
  const clang::Expr* by = nullptr;  // so many items on
  int64_t step = 0;                 // the same as a number: 1 of next(), -1 of prev()
  bool back = false;                // the other way
  bool distance = false;            // how far it is from the begin
};
// `place + n`, `place[n]`, `std::next(place)`, `place - list.begin()`; nothing: something else.
std::optional<BesidePlace> BesideOf(const clang::Expr* e);

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
