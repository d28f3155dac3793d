// Text edits of whole statements: imports added, statements taken out.

#include <algorithm>

#include <fmt/format.h>

#include "edit/python.h"
#include "edit/python_lexemes.h"
#include "edit/span_text.h"

namespace tilewise {
namespace {

// Where a docstring, comments and magics end that start a file or a cell.
size_t EndOfPreamble(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t first = text.find_first_not_of(" \t\r", at);
    if (first == std::string_view::npos) return text.size();
    const char c = text[first];
    size_t end = EndOfLine(text, first);
    if (c == '"' || c == '\'') {
      end = EndOfLine(text, EndOfString(text, first));
    } else if (c != '#' && c != '\n' && c != '%' && c != '!') {
      break;
    }
    at = std::min(end + 1, text.size());
  }
  return at;
}

// Where the statement ends that begins at `at`: brackets closed, no backslash.
size_t EndOfStatement(std::string_view text, size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == '\n' && depth <= 0 && (at == 0 || text[at - 1] != '\\')) return at;
    if (c == '#') {
      at = EndOfLine(text, at);
    } else if (c == '"' || c == '\'') {
      at = EndOfString(text, at);
    } else {
      ++at;
    }
  }
  return text.size();
}

bool IsImport(std::string_view line) {
  return line.starts_with("import ") || line.starts_with("from ");
}

// One past the line feed of the last import before other code; the end of the
// preamble when there is none.
size_t LocationOfImport(std::string_view text) {
  size_t place = EndOfPreamble(text);
  for (size_t at = place; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const size_t end = std::min(EndOfStatement(text, at) + 1, text.size());
    const bool blank = rest.starts_with('\n') || rest.starts_with('\r') || rest.starts_with('#');
    if (IsImport(rest)) {
      place = end;
    } else if (!blank) {
      break;
    }
    at = end;
  }
  return place;
}

bool HasLine(std::string_view text, std::string_view line) {
  for (size_t at = text.find(line); at != std::string_view::npos; at = text.find(line, at + 1)) {
    const size_t end = at + line.size();
    const bool starts = at == 0 || text[at - 1] == '\n';
    const bool ends = end == text.size() || IsPythonSpace(text[end]) || text[end] == '#';
    if (starts && ends) return true;
  }
  return false;
}

// Whether a statement of the same block stands right above or below.
bool HasNeighbour(std::string_view text, size_t begin, size_t end) {
  const std::string_view indent = Indentation(text, begin);
  if (indent.empty()) return true;
  const size_t above =
      begin == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", begin - 1);
  const bool opens = above != std::string_view::npos && text[above] == ':';
  if (!opens) return true;
  const size_t below = text.find_first_not_of(" \t\r\n", end);
  return below != std::string_view::npos && Indentation(text, below) == indent;
}

}  // namespace

std::vector<TextEdit> RemoveStatement(const Workload& workload, const Span& statement) {
  const std::string* text = TextWith(workload, statement);
  if (text == nullptr || statement.begin == statement.end) return {};
  const size_t begin = StartOfLine(*text, Begin(statement));
  const size_t last = EndOfLine(*text, End(statement) - 1);
  const size_t end = std::min(last + 1, text->size());
  const std::string_view before = std::string_view(*text).substr(begin, Begin(statement) - begin);
  const std::string_view after =
      std::string_view(*text).substr(End(statement), last - End(statement));
  // Other statements share the line.
  if (EndOfCode(before) > 0 || EndOfCode(after) > 0) return {};
  if (HasNeighbour(*text, Begin(statement), end)) {
    return {{.span = RangeOf(statement, begin, end), .replacement = ""}};
  }
  return {{.span = statement, .replacement = "pass"}};
}

std::vector<TextEdit> InsertImport(const Workload& workload, const std::string& file, int32_t cell,
                                   std::string_view line) {
  const Span start = {file, cell, 0, 0};
  const std::string* text = TextWith(workload, start);
  if (text == nullptr || HasLine(*text, line)) return {};
  const size_t place = LocationOfImport(*text);
  const bool at_line_start = place == 0 || (*text)[place - 1] == '\n';
  return {{.span = At(start, place),
           .replacement = at_line_start ? fmt::format("{}\n", line) : fmt::format("\n{}", line)}};
}

}  // namespace tilewise
