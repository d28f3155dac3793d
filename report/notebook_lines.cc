// A string of a cell's source ends where a line does, so most have one line of
// the file each; only escapes for line ends are looked for in them.

#include "report/notebook_lines.h"

#include <algorithm>

#include "edit/json_text.h"

namespace tilewise {
namespace {

std::string_view TextOf(std::string_view bytes, const JsonPart& part) {
  return bytes.substr(part.begin, part.end - part.begin);
}

// Counts forward only: parts come in the order of the file.
class LineCounter {
 public:
  explicit LineCounter(std::string_view bytes) : bytes_(bytes) {}
  int64_t LineAt(size_t place) {
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(place);
    line_ += std::count(begin, end, '\n');
    at_ = place;
    return line_;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

// Line ends that a literal has as escapes.
size_t LineEnds(std::string_view literal) {
  size_t ends = 0;
  for (size_t i = 0; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') continue;
    ends += literal[i + 1] == 'n' ? 1 : 0;
    ++i;  // what is escaped escapes nothing
  }
  return ends;
}

std::vector<int64_t> CellLines(std::string_view bytes, const JsonPart& source,
                               LineCounter& counter) {
  std::vector<JsonPart> literals = {source};
  if (TextOf(bytes, source).starts_with('[')) {
    literals = JsonParts(bytes, source.begin);
  }
  std::vector<int64_t> lines;
  bool open = false;  // the last line goes on
  for (const JsonPart& literal : literals) {
    const int64_t line = counter.LineAt(literal.begin);
    if (!open) lines.push_back(line);
    const std::string_view text = TextOf(bytes, literal);
    const size_t ends = LineEnds(text);
    // A line end at the very end of the literal starts no line in it.
    const bool closed = text.ends_with("\\n\"") && ends > 0;
    lines.insert(lines.end(), closed ? ends - 1 : ends, line);
    open = !closed;
  }
  return lines;
}

}  // namespace

std::vector<std::vector<int64_t>> NotebookLines(std::string_view bytes) {
  std::vector<std::vector<int64_t>> cells;
  const std::vector<JsonPart> top = JsonParts(bytes, SkipJsonSpace(bytes, 0));
  const JsonPart* list = FindJsonMember(top, "cells");
  if (list == nullptr) return cells;
  LineCounter counter(bytes);
  for (const JsonPart& cell : JsonParts(bytes, list->begin)) {
    const std::vector<JsonPart> members = JsonParts(bytes, cell.begin);
    const JsonPart* type = FindJsonMember(members, "cell_type");
    const JsonPart* source = FindJsonMember(members, "source");
    if (type == nullptr || source == nullptr || TextOf(bytes, *type) != "\"code\"") {
      continue;
    }
    cells.push_back(CellLines(bytes, *source, counter));
  }
  return cells;
}

}  // namespace tilewise
