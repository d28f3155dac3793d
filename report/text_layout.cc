// Greedy line breaking; nothing here knows what the text says.

#include "report/text_layout.h"

namespace tilewise {

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (const char c : text) {
    const bool continuation = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continuation) ++width;
  }
  return width;
}

std::string Printable(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7F;
    if (c == '\t') {
      clean += ' ';
    } else {
      clean += control ? '?' : c;
    }
  }
  return clean;
}

std::string Wrap(std::string_view text, int width, std::string_view first, std::string_view rest) {
  const size_t limit = width;
  const std::string clean = Printable(text);
  std::string out, line(first);
  bool line_has_word = false;
  for (size_t begin = 0; begin < clean.size();) {
    size_t end = clean.find(' ', begin);
    if (end == std::string::npos) end = clean.size();
    const std::string word = clean.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    if (line_has_word && DisplayWidth(line) + 1 + DisplayWidth(word) > limit) {
      out += line + "\n";
      line = std::string(rest);
      line_has_word = false;
    }
    if (line_has_word) line += ' ';
    line += word;
    line_has_word = true;
  }
  return out + line + "\n";
}

}  // namespace tilewise
