// What all makers of edits share: the text that a span counts in, and the little
// of Python's lexical rules that they need: strings, comments, brackets, and the
// arguments between the parentheses of a call.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// Returns the text of the span's file or cell; null when the span is not inside of it.
const std::string* TextWith(const Workload& workload, const Span& span);

// The same; null as well for C++, whose calls may have the names of Python's.
const std::string* PythonTextWith(const Workload& workload, const Span& span);

// The empty range at `position` of the text in which `span` counts.
Span At(const Span& span, size_t position);
// The range [begin, end) of that text.
Span RangeOf(const Span& span, size_t begin, size_t end);
// `text` in place of that range.
TextEdit Replacing(const Span& span, size_t begin, size_t end, std::string_view text);

inline size_t Begin(const Span& span) { return static_cast<size_t>(span.begin); }
inline size_t End(const Span& span) { return static_cast<size_t>(span.end); }

bool IsPythonSpace(char c);
bool IsNameCharacter(char c);

// One past the end of the string whose first quote is at `begin`.
size_t EndOfString(std::string_view text, size_t begin);

// One past the last character that is neither space nor comment; 0 if none.
size_t EndOfCode(std::string_view text);

// Returns where the line of `at` ends: its line feed, or the end.
size_t EndOfLine(std::string_view text, size_t at);
size_t StartOfLine(std::string_view text, size_t at);

// The white space at the start of the line on which `at` stands.
std::string_view Indentation(std::string_view text, size_t at);

// Whether `word` stands outside of brackets, strings and comments.
bool HasWord(std::string_view text, std::string_view word);

// A range of bytes of the argument list.
struct ArgumentText {
  size_t begin = 0;  // of the whole argument, without space around it
  size_t end = 0;
  std::string_view keyword;  // empty: positional
  size_t value = 0;          // where the value begins; it ends with `end`
  int stars = 0;             // *values: 1, **settings: 2
};

// Splits the text between the parentheses of a call into its arguments.
std::vector<ArgumentText> SplitArguments(std::string_view text);

}  // namespace tilewise
