// A table of words that is known when the program is compiled: the index of a
// word in its list with one hash and, nearly always, one comparison.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilewise::hlo {

template <size_t kWords>
class WordTable {
 public:
  // Words must differ.
  explicit constexpr WordTable(const std::array<std::string_view, kWords>& words) : words_(words) {
    for (size_t i = 0; i < kWords; ++i) {
      size_t slot = Hash(words[i]) & (kSlots - 1);
      while (places_[slot] != 0) slot = (slot + 1) & (kSlots - 1);
      places_[slot] = static_cast<uint16_t>(i + 1);
    }
  }

  // The index of the word in the list; kWords when it is not there.
  constexpr size_t Find(std::string_view word) const {
    size_t slot = Hash(word) & (kSlots - 1);
    for (; places_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
      const size_t place = size_t{places_[slot]} - 1;
      if (words_[place] == word) return place;
    }
    return kWords;
  }
  constexpr std::string_view word(size_t place) const { return words_[place]; }

 private:
  static constexpr size_t SlotsFor(size_t words) {
    size_t slots = 4;
    while (slots < 4 * words) slots *= 2;
    return slots;
  }
  static constexpr size_t kSlots = SlotsFor(kWords);

  // Length and four characters tell nearly all words of a list apart.
  static constexpr size_t Hash(std::string_view word) {
    if (word.empty()) return 0;
    const auto at = [&](size_t i) {
      return static_cast<size_t>(static_cast<unsigned char>(word[i]));
    };
    const size_t size = word.size();
    const size_t mixed = at(0) * 7919 + at(size - 1) * 104729 + at(size / 2) * 1299709 +
                         at(size / 4) * 15485863 + size * 32452843;
    return mixed ^ (mixed >> 11);
  }

  std::array<std::string_view, kWords> words_;
  std::array<uint16_t, kSlots> places_ = {};
};

}  // namespace tilewise::hlo
