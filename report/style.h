// Colours of a terminal, only when they were asked for.

#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace tilewise {

class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  std::string Bold(std::string_view text) const { return Paint("1", text); }
  std::string Good(std::string_view text) const { return Paint("1;32", text); }
  std::string Dim(std::string_view text) const { return Paint("2", text); }
  // The severity's name in its colour.
  std::string Name(Severity severity) const;

 private:
  std::string Paint(std::string_view code, std::string_view text) const;
  bool color_;
};

}  // namespace tilewise
