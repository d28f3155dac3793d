// How often the notes of a reader say that a source is not well formed.

#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.h"

namespace tilewise {

int64_t SyntaxErrorsIn(const std::vector<Diagnostic>& notes);

}  // namespace tilewise
