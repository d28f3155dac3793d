// Messages only; nothing is decided here.

#include "cli/known_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"

namespace tilewise {

std::string Alternatives(std::span<const std::string> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string UnknownWord(std::string_view word, std::span<const std::string> known) {
  constexpr size_t kShown = 64;
  return fmt::format("found '{}', expected {}{}", word.substr(0, kShown), Alternatives(known),
                     DidYouMean(word, known));
}

std::string CheckWord(std::string_view word, std::span<const std::string> known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return "";
  return UnknownWord(word, known);
}

}  // namespace tilewise
