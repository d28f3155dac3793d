// Levenshtein distance over short words (Wagner and Fischer 1974).

#include "cli/suggest.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Longer input is no slip of the finger, and must not cost quadratic time.
constexpr size_t kLongestWord = 64;

char Lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t swapped =
          diagonal + (Lower(a[i - 1]) == Lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, swapped});
    }
  }
  return row[b.size()];
}

std::string Listed(std::span<const std::string> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace

std::optional<std::string> Nearest(std::string_view word,
                                   std::span<const std::string> known) {
  if (word.size() > kLongestWord) return std::nullopt;
  std::optional<std::string> nearest;
  // One slip in a short word; two, such as swapped letters, from four on.
  const size_t slips =
      word.size() < 4 ? 1 : std::max<size_t>(2, word.size() / 3);
  size_t fewest = slips + 1;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(word, candidate);
    if (distance < fewest) {
      fewest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string UnknownWord(std::string_view word,
                        std::span<const std::string> known) {
  const std::string_view shown = word.substr(0, kLongestWord);
  std::string text =
      fmt::format("found '{}', expected {}", shown, Listed(known));
  const std::optional<std::string> nearest = Nearest(word, known);
  if (nearest) text += fmt::format("; did you mean '{}'?", *nearest);
  return text;
}

std::string CheckWord(std::string_view word,
                      std::span<const std::string> known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return "";
  return UnknownWord(word, known);
}

}  // namespace tilewise
