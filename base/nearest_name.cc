// Levenshtein distance over short words (Wagner and Fischer 1974).

#include "base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Longer input is no slip of the finger, and must not cost quadratic time.
constexpr size_t kLongestName = 64;

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (Lower(a[i - 1]) == Lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> NearestName(std::string_view name, std::span<const std::string> known) {
  if (name.size() > kLongestName) return std::nullopt;
  std::optional<std::string> nearest;
  // Two from four letters on, because swapped letters are two edits.
  const size_t slips = name.size() < 4 ? 1 : std::max<size_t>(2, name.size() / 3);
  size_t fewest = slips + 1;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(name, candidate);
    if (distance >= fewest) continue;
    fewest = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string DidYouMean(std::string_view name, std::span<const std::string> known) {
  const std::optional<std::string> nearest = NearestName(name, known);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace tilewise
