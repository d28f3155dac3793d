// Text inside Markdown.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// Text from users' files must not become markup, nor leave its line.
std::string EscapeMarkdown(std::string_view text);

}  // namespace tilewise
