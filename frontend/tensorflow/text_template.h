// Protobuf text with "$0", "$1"... in the place of values, as stored programs
// have it that are filled in when they run.

#pragma once

#include <string>
#include <string_view>

namespace tilewise::tf {

// Whether there are such marks; those within quotes are text.
bool HasOpenFields(std::string_view text);
// The text with every field whose value is open replaced by tensor content that
// is too short, so that tensors have values that are not known.
std::string CloseTemplate(std::string_view text);

}  // namespace tilewise::tf
