// A state is what of some text stands before a byte; a missing step of one falls
// back to its longest proper suffix, which is filled in beforehand.

#include "frontend/logs/line_signs.h"

namespace tilewise {

void LineSigns::Add(std::string_view text, int group) {
  uint16_t state = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (next_[state][byte] == 0) {
      next_[state][byte] = static_cast<uint16_t>(next_.size());
      next_.emplace_back();
      groups_.push_back(0);
    }
    state = next_[state][byte];
  }
  groups_[state] |= uint32_t{1} << group;
}

void LineSigns::Finish() {
  std::vector<uint16_t> suffix(next_.size(), 0);
  std::vector<uint16_t> order;
  for (const uint16_t state : next_[0]) {
    if (state != 0) order.push_back(state);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const uint16_t state = order[i];
    groups_[state] |= groups_[suffix[state]];
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint16_t to = next_[state][byte];
      const uint16_t fallback = next_[suffix[state]][byte];
      if (to == 0) {
        next_[state][byte] = fallback;
      } else {
        suffix[to] = fallback;
        order.push_back(to);
      }
    }
  }
}

uint32_t LineSigns::Find(std::string_view line) const {
  uint32_t found = 0;
  uint16_t state = 0;
  for (const char c : line) {
    state = next_[state][static_cast<unsigned char>(c)];
    found |= groups_[state];
  }
  return found;
}

}  // namespace tilewise
