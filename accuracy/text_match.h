// Finds numbers and words in the sentence that describes a measured run.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

class TextMatch {
 public:
  // Lower case, at most kLongest characters of it.
  explicit TextMatch(std::string_view text);
  static constexpr size_t kLongest = 1000;

  const std::string& text() const { return text_; }
  bool Has(std::string_view word) const { return text_.find(word) != std::string::npos; }
  bool HasAny(std::span<const std::string_view> words) const;
  bool HasAny(std::initializer_list<std::string_view> words) const {
    return HasAny(std::span(words.begin(), words.size()));
  }

  // The numbers that the groups of an ECMAScript pattern capture at its first
  // match; none when it does not match or a group is no number.
  std::optional<std::vector<double>> Find(const std::string& pattern) const;
  // The first group of the first pattern that matches, as a positive integer.
  std::optional<int64_t> First(std::initializer_list<std::string_view> patterns) const;
  // The first group as text, "" for none.
  std::string Word(const std::string& pattern) const;

 private:
  std::string text_;
};

}  // namespace tilewise
