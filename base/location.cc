// Locations, as editors and people write them.

#include "base/location.h"

#include <fmt/format.h>

namespace tilewise {

std::string FormatLocation(const Location& location) {
  std::string text = location.file;
  if (location.cell > 0) text += fmt::format(":cell {}", location.cell);
  if (location.line > 0) text += fmt::format(":{}", location.line);
  if (location.column > 0) text += fmt::format(":{}", location.column);
  if (!location.item.empty() && location.line == 0) {
    text += fmt::format("{}{}", text.empty() ? "" : ": ", location.item);
  }
  return text;
}

}  // namespace tilewise
