// Scans characters; a string or a comment is passed over as a whole.

#include "edit/span_text.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "workload/cpp_path.h"

namespace tilewise {
namespace {

bool OpensBracket(char c) { return c == '(' || c == '[' || c == '{'; }
bool ClosesBracket(char c) { return c == ')' || c == ']' || c == '}'; }

// The position after the lexeme at `at`: a comment, a string or a character.
size_t Next(std::string_view text, size_t at) {
  if (text[at] == '#') return EndOfLine(text, at);
  if (text[at] == '"' || text[at] == '\'') return EndOfString(text, at);
  return at + 1;
}

size_t SkipSpace(std::string_view text, size_t at, size_t end) {
  while (at < end) {
    if (text[at] == '#') {
      at = std::min(end, EndOfLine(text, at));
    } else if (IsPythonSpace(text[at]) || text[at] == '\\') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

bool IsWordAt(std::string_view text, size_t at, std::string_view word) {
  const size_t end = at + word.size();
  return text.substr(at, word.size()) == word && (at == 0 || !IsNameCharacter(text[at - 1])) &&
         (end >= text.size() || !IsNameCharacter(text[end]));
}

// Reads the argument in text[begin, end), which lies between two commas.
ArgumentText ParseArgument(std::string_view text, size_t begin, size_t end) {
  ArgumentText argument;
  argument.begin = SkipSpace(text, begin, end);
  argument.end = argument.begin;
  if (argument.begin < end) {
    argument.end = argument.begin + EndOfCode(text.substr(argument.begin, end - argument.begin));
  }
  argument.value = argument.begin;
  while (argument.value < argument.end && text[argument.value] == '*') {
    ++argument.stars;
    ++argument.value;
  }
  size_t name = argument.begin;
  while (name < argument.end && IsNameCharacter(text[name])) ++name;
  const size_t equals = SkipSpace(text, name, argument.end);
  const bool keyword = name > argument.begin && equals < argument.end && text[equals] == '=' &&
                       (equals + 1 >= text.size() || text[equals + 1] != '=');
  if (keyword) {
    argument.keyword = text.substr(argument.begin, name - argument.begin);
    argument.value = SkipSpace(text, equals + 1, argument.end);
  }
  return argument;
}

}  // namespace

const std::string* TextWith(const Workload& workload, const Span& span) {
  for (const SourceFile& file : workload.files) {
    if (file.path != span.file) continue;
    const std::string* text = &file.text;
    if (span.cell > 0) {
      const size_t index = span.cell - 1;
      if (index >= file.cells.size()) return nullptr;
      text = &file.cells[index];
    }
    const auto size = static_cast<int64_t>(text->size());
    const bool inside = span.begin >= 0 && span.begin <= span.end && span.end <= size;
    return inside ? text : nullptr;
  }
  return nullptr;
}

const std::string* PythonTextWith(const Workload& workload, const Span& span) {
  return IsCppPath(span.file) ? nullptr : TextWith(workload, span);
}

Span At(const Span& span, size_t position) { return RangeOf(span, position, position); }

Span RangeOf(const Span& span, size_t begin, size_t end) {
  return {span.file, span.cell, static_cast<int64_t>(begin), static_cast<int64_t>(end)};
}

TextEdit Replacing(const Span& span, size_t begin, size_t end, std::string_view text) {
  return {.span = RangeOf(span, begin, end), .replacement = std::string(text)};
}

bool IsPythonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

size_t EndOfString(std::string_view text, size_t begin) {
  const char quote = text[begin];
  const std::string triple(3, quote);
  const bool long_string = text.substr(begin, 3) == triple;
  for (size_t i = begin + (long_string ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (long_string ? text.substr(i, 3) == triple : text[i] == quote) {
      return i + (long_string ? 3 : 1);
    }
  }
  return text.size();
}

size_t EndOfCode(std::string_view text) {
  size_t end = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t next = Next(text, i);
    if (text[i] != '#' && !IsPythonSpace(text[i])) end = next;
    i = next;
  }
  return end;
}

size_t EndOfLine(std::string_view text, size_t at) {
  return std::min(text.find('\n', at), text.size());
}

size_t StartOfLine(std::string_view text, size_t at) {
  if (at == 0) return 0;
  const size_t newline = text.rfind('\n', at - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

std::string_view Indentation(std::string_view text, size_t at) {
  const size_t begin = StartOfLine(text, at);
  size_t end = begin;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  return text.substr(begin, end - begin);
}

bool HasWord(std::string_view text, std::string_view word) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); i = Next(text, i)) {
    if (OpensBracket(text[i])) ++depth;
    if (ClosesBracket(text[i])) --depth;
    if (depth == 0 && IsWordAt(text, i, word)) return true;
  }
  return false;
}

std::vector<ArgumentText> SplitArguments(std::string_view text) {
  std::vector<ArgumentText> arguments;
  size_t begin = 0;
  int depth = 0;
  bool in_lambda = false;  // whose parameters are separated by commas too
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (OpensBracket(c)) ++depth;
    if (ClosesBracket(c)) --depth;
    if (depth == 0 && IsWordAt(text, i, "lambda")) in_lambda = true;
    if (depth == 0 && c == ':') in_lambda = false;
    if (depth == 0 && c == ',' && !in_lambda) {
      arguments.push_back(ParseArgument(text, begin, i));
      begin = i + 1;
    }
    i = Next(text, i);
  }
  const ArgumentText last = ParseArgument(text, begin, text.size());
  if (last.begin < last.end) arguments.push_back(last);
  return arguments;
}

}  // namespace tilewise
