// "did you mean": the nearest of the known words.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewise {

// The known word with the fewest edits, when there are few enough of them for
// a slip of the finger; letter case does not count.
std::optional<std::string> Nearest(std::string_view word,
                                   std::span<const std::string> known);

// "" when `word` is known; else "found 'jsno', expected text, json or
// markdown; did you mean 'json'?".
std::string CheckWord(std::string_view word,
                      std::span<const std::string> known);

// "found 'v33', expected v2, v3 or v4; did you mean 'v3'?".
std::string UnknownWord(std::string_view word,
                        std::span<const std::string> known);

}  // namespace tilewise
