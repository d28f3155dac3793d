// Finds keys as whole words and reads what follows past quotes and separators.

#include "frontend/hlo/backend_config.h"

#include <charconv>

namespace tilewise::hlo {
namespace {

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsFiller(char c) {
  return c == '"' || c == '\\' || c == ' ' || c == ':' || c == '=' || c == '\n' || c == '\t';
}

std::string_view SkipFiller(std::string_view text) {
  while (!text.empty() && IsFiller(text.front())) text.remove_prefix(1);
  return text;
}

// What stands after `key`; empty when there is no such key.
std::string_view After(std::string_view config, std::string_view key) {
  size_t at = config.find(key);
  while (at != std::string_view::npos) {
    const size_t end = at + key.size();
    const bool starts = at == 0 || !IsWord(config[at - 1]);
    const bool ends = end < config.size() && !IsWord(config[end]);
    if (starts && ends) return SkipFiller(config.substr(end));
    at = config.find(key, at + 1);
  }
  return {};
}

std::optional<double> Number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> ConfigNumber(std::string_view config, std::string_view key) {
  return Number(After(config, key));
}

std::vector<int64_t> ConfigList(std::string_view config, std::string_view key) {
  constexpr size_t kMostDims = 64;
  std::string_view text = After(config, key);
  std::vector<int64_t> list;
  if (text.empty() || text.front() != '[') return list;
  text.remove_prefix(1);
  while (list.size() < kMostDims) {
    while (!text.empty() && (IsFiller(text.front()) || text.front() == ',')) {
      text.remove_prefix(1);
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) break;
    list.push_back(value);
    text.remove_prefix(end - text.data());
  }
  return list;
}

std::string_view ConfigWord(std::string_view config, std::string_view key) {
  const std::string_view text = After(config, key);
  size_t end = 0;
  while (end < text.size() && IsWord(text[end])) ++end;
  return text.substr(0, end);
}

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
