// Words of which only some are known: the message for one that is not.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tilewise {

// "text, json or markdown".
std::string Alternatives(std::span<const std::string> words);

// "found 'jsno', expected text, json or markdown; did you mean 'json'?".
std::string UnknownWord(std::string_view word, std::span<const std::string> known);

// "" when `word` is known, else what UnknownWord says.
std::string CheckWord(std::string_view word, std::span<const std::string> known);

}  // namespace tilewise
