// Parsed code as bytes: what tilewise's own modules are compiled to when it is
// built, because parsing them would take most of the time of a short run.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "python/node.h"

namespace tilewise::py {

// Errors: a constant of a kind that own modules do not have.
absl::StatusOr<std::string> WriteCode(const Code& code);

// `bytes` are what WriteCode made, by the same build.
std::shared_ptr<const Code> ReadCode(std::string_view bytes);
// Returns the code of bytes that are compiled in: they are read once in a
// thread.
std::shared_ptr<const Code> CompiledCode(std::string_view bytes);

}  // namespace tilewise::py
