// What readers of texts share: whether bytes are text, and a copy of them.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "frontend/input_file.h"

namespace tilewise {

// Whether the start of the file (64 KiB) is without zero bytes.
bool LooksLikeText(const InputFile& file);

// The first character that is no blank and no byte order mark; 0: none.
char FirstCharacter(const InputFile& file);

// Returns the bytes without the byte order mark of UTF-8, which editors on
// Windows write.
std::string_view WithoutMark(std::string_view bytes);

// A copy, without the byte order mark. Errors: more than 256 MiB.
absl::StatusOr<std::string> CopyText(const InputFile& file);

}  // namespace tilewise
