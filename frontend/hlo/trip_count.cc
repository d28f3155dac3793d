// Finds the trip count in the JSON of a backend config. Only that one value is
// read: the rest of the config is the compiler's own.

#include "frontend/hlo/trip_count.h"

#include <charconv>

namespace tilewise::hlo {
namespace {

// Drops blanks and, of `signs`, any.
void SkipSigns(std::string_view& text, std::string_view signs) {
  while (!text.empty() &&
         (text[0] == ' ' || text[0] == '\n' || signs.find(text[0]) != std::string_view::npos)) {
    text.remove_prefix(1);
  }
}

}  // namespace

std::optional<int64_t> KnownTripCount(std::string_view backend_config) {
  constexpr std::string_view kKey = "known_trip_count";
  const size_t at = backend_config.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = backend_config.substr(at + kKey.size());
  SkipSigns(rest, "\\\":{");
  if (rest.empty() || rest[0] != 'n') return std::nullopt;
  rest.remove_prefix(1);
  SkipSigns(rest, "\\\":");
  int64_t trips = 0;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), trips);
  if (error != std::errc() || trips < 0) return std::nullopt;
  return trips;
}

}  // namespace tilewise::hlo
