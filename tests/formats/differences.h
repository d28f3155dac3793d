// Where formats do not agree on what a model costs, and why.

#pragma once

#include <span>
#include <string_view>

namespace tilewise::formats {

struct Difference {
  std::string_view name;    // of the case
  std::string_view format;  // the one that does not agree with the first
  std::string_view mode;    // "inference", "training"; empty: both
  std::string_view reason;  // one sentence
};

// The format says something else. An entry that no longer differs fails the test.
std::span<const Difference> TrueDifferences();

}  // namespace tilewise::formats
