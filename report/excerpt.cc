// Finds the line in the text as it was read. A model file may be one line of a
// megabyte, so the line is cut to what a terminal shows.

#include "report/excerpt.h"

#include <algorithm>
#include <string_view>

#include "report/text_layout.h"

namespace tilewise {
namespace {

std::optional<std::string_view> Line(std::string_view text, int64_t number) {
  for (int64_t line = 1; line < number; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

const std::string* TextOf(std::span<const SourceFile> files,
                          const Location& location) {
  for (const SourceFile& file : files) {
    if (file.path != location.file) continue;
    if (location.cell == 0) return &file.text;
    const auto cell = static_cast<size_t>(location.cell - 1);
    return cell < file.cells.size() ? &file.cells[cell] : nullptr;
  }
  return nullptr;
}

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

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

}  // namespace

std::optional<Excerpt> FindExcerpt(std::span<const SourceFile> files,
                                   const Location& location, int width) {
  if (location.line <= 0) return std::nullopt;
  const std::string* text = TextOf(files, location);
  if (text == nullptr) return std::nullopt;
  const std::optional<std::string_view> line = Line(*text, location.line);
  if (!line || line->empty()) return std::nullopt;

  const auto column = static_cast<size_t>(std::max(location.column, 1) - 1);
  const auto room = static_cast<size_t>(std::max(width, 20));
  const std::string_view shown =
      Clip(*line, std::min(column, line->size()), room);
  Excerpt excerpt;
  excerpt.line = location.line;
  excerpt.text = Printable(shown);
  const auto skipped = static_cast<size_t>(shown.data() - line->data());
  if (location.column > 0 && column < line->size() &&
      column < skipped + shown.size()) {
    excerpt.caret = static_cast<int64_t>(
        DisplayWidth(line->substr(skipped, column - skipped)));
  }
  return excerpt;
}

}  // namespace tilewise
