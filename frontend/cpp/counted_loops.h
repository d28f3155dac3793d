// How often a loop that counts runs.

#pragma once

#include <cstdint>
#include <optional>

#include <clang/AST/StmtCXX.h>

#include "frontend/cpp/expressions.h"

namespace tilewise::cpp {

// The rounds of `for (int i = 0; i < N; ++i)`, which may also break off; nothing: they are not
// known.
std::optional<int64_t> RoundsOf(const clang::ForStmt& loop, const Expressions& read);

}  // namespace tilewise::cpp
