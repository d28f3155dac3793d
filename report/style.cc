// SGR escape sequences (ECMA-48 8.3.117), the ones every terminal knows.

#include "report/style.h"

#include <fmt/format.h>

namespace tilewise {

std::string Style::Paint(std::string_view code, std::string_view text) const {
  if (!color_) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string Style::Name(Severity severity) const {
  switch (severity) {
    case Severity::kInfo:
      return Paint("1;36", "info");
    case Severity::kWarning:
      return Paint("1;33", "warning");
    case Severity::kError:
      return Paint("1;31", "error");
  }
  return "?";
}

}  // namespace tilewise
