// String literals of JSON as letters: decoded bytes, each with the text that
// stands for it in the file, so that an edit keeps the spelling of the rest.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

// One byte of the decoded text. Of a character of several bytes the first has
// the whole spelling, the others none.
struct Letter {
  char byte = 0;
  std::string spelling;
};
using Letters = std::vector<Letter>;

// Of a literal with its quotes.
Letters DecodeLiteral(std::string_view literal);

// Of a text that is new, escaped as JSON wants it.
Letters LettersOfText(std::string_view text);

// The literal of letters [begin, end), with its quotes.
std::string LiteralOf(const Letters& letters, size_t begin, size_t end);

// One literal for each line.
std::vector<std::string> LiteralLines(const Letters& letters);

}  // namespace tilewise
