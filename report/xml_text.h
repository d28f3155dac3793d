// Text inside XML.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// For attributes in double quotes and for content: markup escaped, line ends
// kept as references, what XML 1.0 cannot hold (control characters, bytes that
// are not UTF-8) replaced by U+FFFD.
std::string EscapeXml(std::string_view text);

}  // namespace tilewise
