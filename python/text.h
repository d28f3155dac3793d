// Texts of Python: escapes, formats, representations of numbers.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilewise::py {

// What "\n", "\x41" and the like in a literal stand for.
std::string Unescaped(std::string_view literal);
// "{{" and "}}" of a formatted text as one brace each.
std::string WithoutDoubledBraces(std::string_view text);

// The number of the first character.
int64_t CodePoint(std::string_view text);

// repr() of a float and of a text.
std::string FloatText(double value);
// `bytes`: those beyond ASCII are shown by their numbers.
std::string QuotedText(std::string_view text, bool bytes = false);

// Returns the text with characters beyond ASCII as escapes.
std::string AsciiText(std::string_view text);

// A format specifier: ">10.2f". nullopt when it is not one for such a value.
std::optional<std::string> FormatInt(int64_t value, std::string_view specifier);
std::optional<std::string> FormatFloat(double value, std::string_view specifier);
std::optional<std::string> FormatText(std::string_view value, std::string_view specifier);

}  // namespace tilewise::py
