// YAML, text protobufs, gin and Python all write a name, ':' or '=', a value.

#include "edit/setting.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "edit/python.h"
#include "edit/span_text.h"

namespace tilewise {
namespace {

bool InName(char c) { return IsNameCharacter(c) || c == '.' || c == '/' || c == '-'; }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

// Returns where the line and the column begin; nothing beyond the text.
std::optional<size_t> OffsetOf(std::string_view text, const Location& place) {
  if (place.line < 1 || place.column < 1) return std::nullopt;
  size_t at = 0;
  for (int32_t line = 1; line < place.line; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  at += static_cast<size_t>(place.column) - 1;
  return at < text.size() ? std::optional(at) : std::nullopt;
}

// One past a scalar: before a comment, a separator, a closing bracket.
size_t EndOfValue(std::string_view text, size_t at) {
  if (text[at] == '"' || text[at] == '\'') return EndOfString(text, at);
  size_t end = at;
  while (end < text.size() && !IsPythonSpace(text[end]) &&
         std::string_view(",;}>])#").find(text[end]) == std::string_view::npos) {
    ++end;
  }
  return end;
}

bool BeginsScalar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '"' || c == '\'' || c == '-' ||
         c == '+' || c == '.';
}

}  // namespace

std::optional<SettingText> SettingAt(const Workload& workload, const Location& place) {
  const Span start = {place.file, place.cell, 0, 0};
  const std::string* whole = place.cell > 0 ? nullptr : TextWith(workload, start);
  if (whole == nullptr) return std::nullopt;
  const std::string_view text = *whole;
  std::optional<size_t> begin = OffsetOf(text, place);
  if (!begin) return std::nullopt;
  const bool quoted = text[*begin] == '"' || text[*begin] == '\'';
  if (quoted) ++*begin;
  size_t at = *begin;
  while (at < text.size() && InName(text[at])) ++at;
  SettingText setting = {text.substr(*begin, at - *begin), start};
  if (setting.name.empty()) return std::nullopt;
  at = SkipBlanks(text, quoted ? at + 1 : at);
  if (at >= text.size()) return std::nullopt;
  if (text[at] == '{' || text[at] == '<') return setting;
  if (text[at] != ':' && text[at] != '=') return std::nullopt;
  at = SkipBlanks(text, at + 1);
  if (at < text.size() && text[at] == '%') return std::nullopt;
  if (at >= text.size() || !BeginsScalar(text[at])) return setting;
  setting.value = RangeOf(start, at, EndOfValue(text, at));
  return setting;
}

std::optional<int64_t> NumberIn(const Workload& workload, const Span& span) {
  std::string digits(TextOf(workload, span));
  std::erase(digits, '_');
  int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::vector<TextEdit> SetFlag(const Workload& workload, const Stage& stage,
                              std::string_view parameter, bool value) {
  if (stage.arguments.begin < stage.arguments.end) {
    return SetArgument(workload, stage.arguments, parameter, value ? "True" : "False");
  }
  const WrittenArgument* written = stage.Written(parameter);
  const std::string_view text = written == nullptr ? "" : TextOf(workload, written->value);
  if (text.empty()) return {};
  const bool capital = std::isupper(static_cast<unsigned char>(text[0])) != 0;
  const std::string_view yes = capital ? "True" : "true";
  const std::string_view no = capital ? "False" : "false";
  return {{written->value, std::string(value ? yes : no)}};
}

std::vector<TextEdit> SetNumber(const Workload& workload, const Stage& stage,
                                std::string_view parameter, int64_t value) {
  const WrittenArgument* written = stage.Written(parameter);
  if (written == nullptr || !NumberIn(workload, written->value)) return {};
  return {{written->value, std::to_string(value)}};
}

}  // namespace tilewise
