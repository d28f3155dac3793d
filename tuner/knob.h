// One thing of a setting that a search may change. Each has a file in
// tuner/knobs and a line in tuner/knobs.def.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tuner/setting.h"

namespace tilewise {

struct Knob {
  std::string_view name;    // "remat"
  std::string_view values;  // those that it takes, for the help: "none, dots, full"
  // What program or machine takes it, for messages: "a model that is trained".
  std::string_view needs;
  // It chooses the machine: the best of each machine is shown, as a faster one
  // is another purchase.
  bool chooses_machine = false;
  // `base` with each of the values; with none, `base` and those worth trying.
  // What the program or the machine does not take is left out. Errors: a value
  // that means nothing.
  absl::StatusOr<std::vector<SearchSetting>> (*settings)(
      const SearchSetting& base, std::span<const std::string> values) = nullptr;
};

// Returns the knobs in the order in which they apply: the machine first.
std::span<const Knob> Knobs();

// A whole number from 1 on, or what was found and expected.
absl::StatusOr<int64_t> ParseKnobNumber(std::string_view knob, std::string_view word);

}  // namespace tilewise
