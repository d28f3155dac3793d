// Rematerialisation policies by name.

#include <array>

#include "graph/training.h"

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"none", "full", "dots"};

}  // namespace

std::string_view RematName(Remat remat) {
  return kNames[static_cast<size_t>(remat)];
}

std::optional<Remat> ParseRemat(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Remat>(i);
  }
  return std::nullopt;
}

}  // namespace tilewise
