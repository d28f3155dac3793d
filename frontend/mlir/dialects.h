// Which dialects a file is written in, and what to say of those that are not
// read.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise::mlir {

// Whether the text is MLIR: its first words are those of a module, a function
// or an alias, and operations of dialects follow. Looks at the first 64 KiB.
bool LooksLikeMlirText(std::string_view text);

// An error when the program is in dialects that are not read (tosa, linalg,
// ttir): the one that most operations are of, and the line that exports
// StableHLO. Counts operations line by line, without reading them.
absl::Status CheckDialects(std::string_view text);

// What exports the text of a module that is MLIR bytecode.
absl::Status BytecodeError(std::string_view path, std::string_view bytes);

}  // namespace tilewise::mlir
