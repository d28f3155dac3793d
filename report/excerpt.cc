// A model file may be one line of a megabyte, so lines are cut to what a
// terminal shows.

#include "report/excerpt.h"

#include <algorithm>
#include <string_view>

#include "report/text_layout.h"

namespace tilewise {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The part of `line` that is shown, at most `width` bytes, never cutting a
// character in two.
std::string_view Clip(std::string_view line, size_t column, size_t width) {
  if (line.size() <= width) return line;
  size_t begin = column > width / 2 ? column - width / 2 : 0;
  begin = std::min(begin, line.size() - width);
  while (begin > 0 && IsContinuation(line[begin])) --begin;
  size_t end = std::min(line.size(), begin + width);
  while (end > begin && end < line.size() && IsContinuation(line[end])) --end;
  return line.substr(begin, end - begin);
}

// `line` cut around its bytes [begin, end), which are marked when they are
// there.
Excerpt Mark(std::string_view line, size_t begin, size_t end, int width) {
  const size_t room = std::max(width, 20);
  const std::string_view shown = Clip(line, std::min(begin, line.size()), room);
  const size_t skipped = shown.data() - line.data();
  Excerpt excerpt;
  excerpt.text = Printable(shown);
  if (begin >= end || begin >= skipped + shown.size()) return excerpt;
  end = std::min(end, skipped + shown.size());
  excerpt.caret = static_cast<int64_t>(DisplayWidth(line.substr(skipped, begin - skipped)));
  excerpt.carets =
      std::max<int64_t>(1, static_cast<int64_t>(DisplayWidth(line.substr(begin, end - begin))));
  return excerpt;
}

}  // namespace

std::optional<Excerpt> FindExcerpt(const FileLines& files, const Location& location, int width) {
  const std::optional<std::string_view> line = files.Line(location);
  if (!line || line->empty()) return std::nullopt;
  const size_t column = std::max(location.column, 1) - 1;
  const bool marked = location.column > 0 && column < line->size();
  Excerpt excerpt = Mark(*line, column, marked ? column + 1 : column, width);
  excerpt.line = location.line;
  return excerpt;
}

Excerpt ExcerptOfOp(const OpLine& op, int width) {
  return Mark(op.text, op.begin, std::min(op.end, op.text.size()), width);
}

}  // namespace tilewise
