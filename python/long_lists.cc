// One walk over the text, past its texts and comments.

#include "python/long_lists.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace tilewise::py {
namespace {

// Shorter lists are left to the grammar.
constexpr size_t kLong = 16384;

// The position after the text whose first quote is at `at`.
size_t AfterText(const std::string& text, size_t at) {
  const char quote = text[at];
  const bool triple = text.compare(at, 3, std::string(3, quote)) == 0;
  const std::string end(triple ? 3 : 1, quote);
  for (at += end.size(); at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text.compare(at, end.size(), end) == 0) {
      return at + end.size();
    } else if (!triple && text[at] == '\n') {
      return at;
    }
  }
  return text.size();
}

// The end of a list that holds plain numbers alone, from its "["; nullopt: it
// is none.
std::optional<size_t> EndOfNumbers(const std::string& text, size_t begin) {
  for (size_t at = begin + 1; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ']') return at;
    const bool fits = (c >= '0' && c <= '9') || c == ',' || c == '.' || c == '-' || c == '+' ||
                      c == 'e' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!fits) return std::nullopt;
  }
  return std::nullopt;
}

// nullopt: something stands there that is no number.
std::optional<std::vector<Value>> NumbersOf(const std::string& text, size_t at, size_t end) {
  std::vector<Value> numbers;
  while (at < end) {
    while (at < end && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at == end) break;
    const char* start = text.c_str() + at;
    char *after = nullptr, *after_real = nullptr;
    const int64_t integer = std::strtoll(start, &after, 10);
    const double real = std::strtod(start, &after_real);
    if (after_real == start) return std::nullopt;
    const bool whole = after == after_real && after - start < 18;
    numbers.push_back(whole ? Value(integer) : Value(real));
    at += static_cast<size_t>(after_real - start);
    while (at < end && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at < end && text[at++] != ',') return std::nullopt;
  }
  return numbers;
}

}  // namespace

LongLists TakeLongLists(std::string& text) {
  LongLists lists;
  if (text.size() < kLong) return lists;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      at = AfterText(text, at);
      continue;
    }
    if (c == '#') at = std::min(text.find('\n', at), text.size());
    if (c == '[') {
      const std::optional<size_t> end = EndOfNumbers(text, at);
      if (end.has_value() && *end - at > kLong) {
        if (auto numbers = NumbersOf(text, at + 1, *end)) {
          for (size_t i = at + 1; i < *end; ++i) text[i] = text[i] == '\n' ? '\n' : ' ';
          lists[static_cast<int64_t>(at)] = *std::move(numbers);
          at = *end;
        }
      }
    }
    ++at;
  }
  return lists;
}

}  // namespace tilewise::py
