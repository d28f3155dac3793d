// The table of knobs.

#include "tuner/knob.h"

#include <charconv>

#include <fmt/format.h>

namespace tilewise {

#define TW_KNOB(Name) Knob Name##Knob();
#include "tuner/knobs.def"
#undef TW_KNOB

std::span<const Knob> Knobs() {
#define TW_KNOB(Name) Name##Knob(),
  static const std::vector<Knob> knobs = {
#include "tuner/knobs.def"
  };
#undef TW_KNOB
  return knobs;
}

absl::StatusOr<int64_t> ParseKnobNumber(std::string_view knob, std::string_view word) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && number > 0) return number;
  return InvalidInput(
      fmt::format("--search {}: found '{}', expected a whole number from 1 on", knob, word));
}

}  // namespace tilewise
