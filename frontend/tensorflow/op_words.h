// What the names of ops and nodes say.

#pragma once

#include <string_view>

namespace tilewise::tf {

inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace tilewise::tf
