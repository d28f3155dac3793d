// Names and lines of users' files as a terminal, a log or a document can show
// them. Text is made printable once, where it leaves the program.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilewise {

// One character of UTF-8 at the start of a text.
struct Utf8Character {
  uint32_t code = 0;
  size_t bytes = 1;
  bool valid = false;  // else `bytes` is 1 and the byte stands for nothing
};
// `text` is not empty.
Utf8Character DecodeUtf8(std::string_view text);

// Controls (C0, DEL, C1), what reverses the direction of text around it
// (U+202A to U+202E, U+2066 to U+2069 and the marks), and separators of lines
// and paragraphs: none of them shows, all of them change what does.
bool IsUnprintable(uint32_t code);

// Returns the text in one line: it writes those characters, and bytes that are not UTF-8, as a
// Python literal does ("\x1b", "\u202e"), and tabs as blanks.
std::string Printable(std::string_view text);

// The same but for line feeds, carriage returns before them, and tabs, which
// stay: of text that is made to be lines. `keep_colors`: so do the sequences
// that set a terminal's colours.
std::string PrintableLines(std::string_view text, bool keep_colors = false);

// A CI server takes lines of a log that start with "::" or "##[" (GitHub Actions,
// Azure Pipelines) for commands. None of the text's lines does afterwards.
std::string WithoutCommands(std::string text);

// Text of a JSON document, where the characters that are left can only stand
// within strings: with JSON's escapes in their place.
std::string PrintableJson(std::string_view json);

}  // namespace tilewise
