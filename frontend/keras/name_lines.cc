// Finds the lines of "name" members.

#include "frontend/keras/name_lines.h"

#include <algorithm>

namespace tilewise {

std::map<std::string, int32_t, std::less<>> FindNameLines(std::string_view text) {
  constexpr std::string_view kKey = "\"name\"";
  std::map<std::string, int32_t, std::less<>> lines;
  if (std::count(text.begin(), text.end(), '\n') < 2) return lines;
  int32_t line = 1;
  size_t counted = 0;
  for (size_t at = text.find(kKey); at != std::string_view::npos;
       at = text.find(kKey, at + kKey.size())) {
    line += static_cast<int32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                            text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    const size_t open = text.find_first_not_of(" \t\r\n:", at + kKey.size());
    if (open == std::string_view::npos || text[open] != '"') continue;
    const size_t close = text.find('"', open + 1);
    if (close == std::string_view::npos) break;
    lines.try_emplace(std::string(text.substr(open + 1, close - open - 1)), line);
  }
  return lines;
}

}  // namespace tilewise
