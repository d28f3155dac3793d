// Text edits of Python calls. Knows strings, comments, line continuations and
// trailing commas, and nothing else of the language.

#include "rules/edits.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

const std::string* TextWith(const Workload& workload, const Span& span) {
  for (const SourceFile& file : workload.files) {
    if (file.path != span.file) continue;
    const std::string* text = &file.text;
    if (span.cell > 0) {
      const auto index = static_cast<size_t>(span.cell - 1);
      if (index >= file.cells.size()) return nullptr;
      text = &file.cells[index];
    }
    const auto size = static_cast<int64_t>(text->size());
    const bool inside =
        span.begin >= 0 && span.begin <= span.end && span.end <= size;
    return inside ? text : nullptr;
  }
  return nullptr;
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

size_t EndOfString(std::string_view text, size_t begin) {
  const char quote = text[begin];
  const std::string triple(3, quote);
  if (text.substr(begin, 3) == triple) {
    const size_t end = text.find(triple, begin + 3);
    return end == std::string_view::npos ? text.size() : end + 3;
  }
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

// One past the last character that is neither space nor comment; 0 if none.
size_t EndOfCode(std::string_view text) {
  size_t end = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      const size_t line = text.find('\n', i);
      i = line == std::string_view::npos ? text.size() : line;
    } else if (c == '"' || c == '\'') {
      i = end = EndOfString(text, i);
    } else {
      ++i;
      if (!IsSpace(c)) end = i;
    }
  }
  return end;
}

// The white space at the start of the line on which `at` stands.
std::string_view Indentation(std::string_view text, size_t at) {
  const size_t newline = text.rfind('\n', at == 0 ? 0 : at - 1);
  if (newline == std::string_view::npos || at == 0) return {};
  size_t end = newline + 1;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  return text.substr(newline + 1, end - newline - 1);
}

// The call with the line break (and its backslash) that comes before it.
Span WithLineBreak(std::string_view text, Span call) {
  auto begin = static_cast<size_t>(call.begin);
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) {
    --begin;
  }
  if (begin == 0 || text[begin - 1] != '\n') return call;
  --begin;
  size_t continued = begin;
  if (continued > 0 && text[continued - 1] == '\r') --continued;
  if (continued > 0 && text[continued - 1] == '\\') {
    begin = continued - 1;
    while (begin > 0 && text[begin - 1] == ' ') --begin;
  }
  call.begin = static_cast<int64_t>(begin);
  return call;
}

bool SameText(const Span& a, const Span& b) {
  return a.file == b.file && a.cell == b.cell && a.begin < a.end &&
         b.begin < b.end;
}

Span At(const Span& span, int64_t position) {
  return {span.file, span.cell, position, position};
}

// Where `name` stands as a keyword argument in `text`: the range of its value.
std::optional<std::pair<size_t, size_t>> ValueOf(std::string_view text,
                                                 std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const char before = at == 0 ? ',' : text[at - 1];
    if (!IsSpace(before) && before != ',') continue;
    size_t value = at + name.size();
    while (value < text.size() && IsSpace(text[value])) ++value;
    if (value >= text.size() || text[value] != '=') continue;
    ++value;
    while (value < text.size() && IsSpace(text[value])) ++value;
    size_t end = value;
    while (end < text.size() && text[end] != ',' && !IsSpace(text[end])) ++end;
    return std::pair(value, end);
  }
  return std::nullopt;
}

std::vector<TextEdit> MoveCall(const Workload& workload, const Span& call,
                               const Span& other, bool after) {
  const std::string* text = TextWith(workload, call);
  if (text == nullptr || !SameText(call, other)) return {};
  const Span whole = WithLineBreak(*text, call);
  const Span target = WithLineBreak(*text, other);
  const std::string moved =
      text->substr(static_cast<size_t>(whole.begin),
                   static_cast<size_t>(whole.end - whole.begin));
  return {{.span = whole, .replacement = ""},
          {.span = At(call, after ? target.end : target.begin),
           .replacement = moved}};
}

}  // namespace

std::string_view TextOf(const Workload& workload, const Span& span) {
  const std::string* text = TextWith(workload, span);
  if (text == nullptr) return {};
  return std::string_view(*text).substr(
      static_cast<size_t>(span.begin),
      static_cast<size_t>(span.end - span.begin));
}

std::vector<TextEdit> AppendArgument(const Workload& workload,
                                     const Span& arguments,
                                     std::string_view argument) {
  const std::string* whole = TextWith(workload, arguments);
  if (whole == nullptr) return {};
  const std::string_view text = TextOf(workload, arguments);
  const size_t end = EndOfCode(text);
  std::string inserted;
  const bool comma = end > 0 && text[end - 1] == ',';
  if (end > 0 && !comma) inserted = ",";
  if (end > 0 && text.find('\n', end) != std::string_view::npos) {
    inserted += '\n';
    inserted += Indentation(*whole, static_cast<size_t>(arguments.begin) + end);
  } else if (end > 0) {
    inserted += ' ';
  }
  inserted += argument;
  if (comma) inserted += ',';
  return {{.span = At(arguments, arguments.begin + static_cast<int64_t>(end)),
           .replacement = inserted}};
}

std::vector<TextEdit> SetArgument(const Workload& workload,
                                  const Span& arguments, std::string_view name,
                                  std::string_view value) {
  const auto range = ValueOf(TextOf(workload, arguments), name);
  if (!range) {
    return AppendArgument(workload, arguments,
                          fmt::format("{}={}", name, value));
  }
  Span span = arguments;
  span.begin = arguments.begin + static_cast<int64_t>(range->first);
  span.end = arguments.begin + static_cast<int64_t>(range->second);
  return {{.span = span, .replacement = std::string(value)}};
}

std::vector<TextEdit> MoveCallBefore(const Workload& workload, const Span& call,
                                     const Span& other) {
  return MoveCall(workload, call, other, false);
}

std::vector<TextEdit> MoveCallAfter(const Workload& workload, const Span& call,
                                    const Span& other) {
  return MoveCall(workload, call, other, true);
}

std::vector<TextEdit> AppendCall(const Workload& workload, const Span& other,
                                 std::string_view text) {
  const std::string* whole = TextWith(workload, other);
  if (whole == nullptr || other.begin == other.end) return {};
  const Span lead = WithLineBreak(*whole, other);
  std::string inserted =
      whole->substr(static_cast<size_t>(lead.begin),
                    static_cast<size_t>(other.begin - lead.begin));
  inserted += text;
  return {{.span = At(other, other.end), .replacement = inserted}};
}

std::string AutotuneIn(const Workload& workload, const std::string& file) {
  for (const SourceFile& source : workload.files) {
    if (source.path != file) continue;
    std::string text = source.text;
    for (const std::string& cell : source.cells) text += cell;
    for (const std::string_view spelling :
         {"tf.data.AUTOTUNE", "tf.data.experimental.AUTOTUNE"}) {
      if (text.find(spelling) != std::string::npos) {
        return std::string(spelling);
      }
    }
    if (text.find("import tensorflow as tf") == std::string::npos &&
        text.find("import tensorflow\n") != std::string::npos) {
      return "tensorflow.data.AUTOTUNE";
    }
  }
  return "tf.data.AUTOTUNE";
}

}  // namespace tilewise
