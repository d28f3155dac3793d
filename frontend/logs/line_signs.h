// Which of many texts a line holds, in one pass over its bytes: a log of 100 MB
// is looked through once and not once for each text.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilewise {

// The automaton of Aho and Corasick over the bytes of the texts.
class LineSigns {
 public:
  // `group`: of at most 32, what Find answers with.
  void Add(std::string_view text, int group);
  // This is called once, after all were added.
  void Finish();

  // A bit for each group that has a text in `line`.
  uint32_t Find(std::string_view line) const;

 private:
  using State = std::array<uint16_t, 256>;
  std::vector<State> next_ = std::vector<State>(1);
  std::vector<uint32_t> groups_ = {0};
};

}  // namespace tilewise
