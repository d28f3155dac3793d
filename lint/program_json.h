// A linted program as compact JSON, for the cache.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lint/linted_program.h"

namespace tilewise {

// Writes all of it, so that reading gives back what was written, to the last
// bit. Returns nothing when it holds text that is no UTF-8 or a number that is
// none.
std::optional<std::string> WriteProgramJson(const LintedProgram& program);

// Returns nothing when the text is not what WriteProgramJson writes.
std::optional<LintedProgram> ReadProgramJson(std::string_view text);

}  // namespace tilewise
