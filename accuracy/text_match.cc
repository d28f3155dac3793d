// std::regex on short text: patterns are constants of this program.

#include "accuracy/text_match.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <regex>

#include "accuracy/csv.h"

namespace tilewise {
namespace {

constexpr double kMostInteger = 9007199254740992.0;  // 2^53

}  // namespace

TextMatch::TextMatch(std::string_view text) : text_(text.substr(0, kLongest)) {
  for (char& c : text_) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
}

bool TextMatch::HasAny(std::span<const std::string_view> words) const {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return Has(word); });
}

std::optional<std::vector<double>> TextMatch::Find(const std::string& pattern) const {
  std::smatch match;
  if (!std::regex_search(text_, match, std::regex(pattern))) {
    return std::nullopt;
  }
  std::vector<double> numbers;
  for (size_t i = 1; i < match.size(); ++i) {
    std::string digits = match[i].str();
    std::erase(digits, ',');
    const std::optional<double> number = ParseNumber(digits);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<int64_t> TextMatch::First(std::initializer_list<std::string_view> patterns) const {
  for (const std::string_view pattern : patterns) {
    const auto found = Find(std::string(pattern));
    if (!found || found->empty()) continue;
    const double value = found->front();
    if (value < 1 || value > kMostInteger || value != std::floor(value)) {
      continue;
    }
    return static_cast<int64_t>(value);
  }
  return std::nullopt;
}

std::string TextMatch::Word(const std::string& pattern) const {
  std::smatch match;
  if (!std::regex_search(text_, match, std::regex(pattern)) || match.size() < 2) {
    return "";
  }
  return match[1].str();
}

}  // namespace tilewise
