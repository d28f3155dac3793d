// How often a loop that counts runs.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <clang/AST/StmtCXX.h>

#include "frontend/cpp/expressions.h"

namespace tilewise::cpp {

// The rounds of `for (int i = 0; i < N; ++i)`, which may also break off; nothing: they are not
// known, as where the body changes the variable.
std::optional<int64_t> RoundsOf(const clang::ForStmt& loop, const Expressions& read);

// The names that the loop declares for its rounds.
std::vector<std::string> CountersOf(const clang::ForStmt& loop);

// `do { .. } while (0)` of macros.
bool RunsOnce(const clang::Stmt* loop);

}  // namespace tilewise::cpp
