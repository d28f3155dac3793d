// Loggers end their prefix with "file.cc:76] "; the rest is XLA's.

#include "frontend/files/log_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilewise {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Whether "...name.cc:76" ends `prefix`.
bool EndsWithSourceLine(std::string_view prefix) {
  const size_t digits = prefix.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < prefix.size() && prefix[digits] == ':' &&
         (prefix.substr(0, digits).ends_with(".cc") || prefix.substr(0, digits).ends_with(".py"));
}

int ExponentOf(std::string_view unit) {
  constexpr std::string_view kUnits = "KMGT";
  const size_t place = unit.empty() ? std::string_view::npos : kUnits.find(unit.front());
  return place == std::string_view::npos ? 0 : static_cast<int>(place + 1) * 10;
}

}  // namespace

std::string_view LogText(std::string_view line) {
  constexpr size_t kLongestPrefix = 200;
  const size_t end = line.substr(0, kLongestPrefix).find("] ");
  const size_t bare = line.ends_with("]") ? line.size() - 1 : end;
  const size_t cut = end != std::string_view::npos ? end : bare;
  if (cut != std::string_view::npos && EndsWithSourceLine(line.substr(0, cut))) {
    line.remove_prefix(std::min(cut + 2, line.size()));
  }
  return Trimmed(line);
}

std::string_view After(std::string_view line, std::string_view key) {
  const size_t place = line.find(key);
  if (place == std::string_view::npos) return {};
  return line.substr(place + key.size());
}

Bytes ParseLogSize(std::string_view text) {
  text = Trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0) || number > 1e15) return {};
  text.remove_prefix(end - text.data());
  const double bytes = std::ldexp(number, ExponentOf(text));
  return {bytes < 9e18 ? static_cast<int64_t>(std::llround(bytes)) : 0};
}

std::string QuotedAfter(std::string_view line, std::string_view key) {
  std::string_view rest = After(line, key);
  if (!rest.starts_with('"')) return "";
  std::string text;
  for (size_t i = 1; i < rest.size() && rest[i] != '"'; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    text += rest[i];
  }
  return text;
}

}  // namespace tilewise
