// "Did you mean": the nearest of the known names to one that is not known.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewise {

// The known name with the fewest edits from `name`, when there are few enough
// of them for a slip of the finger: one in up to three letters, two in four or
// five, then a third. Letter case does not count; of equals the first.
std::optional<std::string> NearestName(std::string_view name, std::span<const std::string> known);

// The end of a message: "; did you mean 'v3'?", "" when none is near.
std::string DidYouMean(std::string_view name, std::span<const std::string> known);

}  // namespace tilewise
