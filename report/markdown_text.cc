// Backslashes before the characters that GitHub's Markdown reads as markup.

#include "report/markdown_text.h"

#include "report/text_layout.h"

namespace tilewise {

std::string EscapeMarkdown(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    if (std::string_view("\\`*_<>[]#|").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
  }
  return escaped;
}

}  // namespace tilewise
