// The starts of a file's lines are found when its first line is asked for. A
// string of a notebook cell's source ends where a line does, so most have one
// line of the file each. A model file may be one line of a megabyte, so lines
// are cut to what a terminal shows. Of paths only the text is looked at, never
// the disk.

#include "report/file_lines.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "edit/json_text.h"
#include "report/text.h"

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

std::vector<size_t> LineStarts(std::string_view text) {
  std::vector<size_t> starts = {0};
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts.push_back(at + 1);
  }
  return starts;
}

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
  excerpt.caret =
      static_cast<int64_t>(DisplayWidth(Printable(line.substr(skipped, begin - skipped))));
  excerpt.carets = std::max<int64_t>(
      1, static_cast<int64_t>(DisplayWidth(Printable(line.substr(begin, end - begin)))));
  return excerpt;
}

namespace fs = std::filesystem;

bool Unreserved(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool digit = c >= '0' && c <= '9';
  return letter || digit || std::string_view("-._~/").find(c) != std::string_view::npos;
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

FileLines::FileLines(std::span<const SourceFile> files) {
  for (const SourceFile& file : files) files_.emplace(file.path, &file);
}

std::optional<std::string_view> FileLines::Text(std::string_view file, int32_t cell) const {
  const auto found = files_.find(file);
  if (found == files_.end()) return std::nullopt;
  if (cell == 0) return found->second->text;
  const size_t index = cell - 1;
  if (cell < 0 || index >= found->second->cells.size()) return std::nullopt;
  return found->second->cells[index];
}

const FileLines::Indexed* FileLines::Find(std::string_view file, int32_t cell) const {
  const std::optional<std::string_view> text = Text(file, cell);
  if (!text) return nullptr;
  auto [entry, made] = indexed_[files_.find(file)->first].try_emplace(cell, Indexed{*text, {}});
  if (made) entry->second.starts = LineStarts(*text);
  return &entry->second;
}

std::optional<std::string_view> FileLines::Line(const Location& location) const {
  if (location.line <= 0) return std::nullopt;
  const Indexed* indexed = Find(location.file, location.cell);
  const size_t index = location.line - 1;
  if (indexed == nullptr || index >= indexed->starts.size()) {
    return std::nullopt;
  }
  std::string_view line = indexed->text.substr(indexed->starts[index]);
  line = line.substr(0, line.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

int64_t FileLines::LineInFile(const Location& location) const {
  if (location.line <= 0) return 0;
  if (location.cell <= 0) return location.line;
  const auto file = files_.find(location.file);
  if (file == files_.end()) return 0;
  auto [entry, made] = notebooks_.try_emplace(file->first);
  if (made) entry->second = NotebookLines(file->second->text);
  const size_t cell = location.cell - 1;
  const size_t line = location.line - 1;
  if (cell >= entry->second.size()) return 0;
  const std::vector<int64_t>& lines = entry->second[cell];
  return line < lines.size() ? lines[line] : 0;
}

std::optional<FileLines::Position> FileLines::PositionOf(std::string_view file, int32_t cell,
                                                         int64_t byte) const {
  const Indexed* indexed = Find(file, cell);
  if (indexed == nullptr || byte < 0 || static_cast<size_t>(byte) > indexed->text.size()) {
    return std::nullopt;
  }
  const size_t at = byte;
  const auto after = std::ranges::upper_bound(indexed->starts, at);
  const size_t line = after - indexed->starts.begin();
  return Position{.line = static_cast<int64_t>(line),
                  .column = static_cast<int64_t>(at - indexed->starts[line - 1] + 1)};
}

int64_t Utf16Column(std::string_view line, int64_t column) {
  int64_t units = 0;
  int64_t bytes = 0;
  for (const char c : line) {
    if (++bytes >= column) break;
    const auto byte = static_cast<unsigned char>(c);
    const bool continuation = (byte & 0xC0) == 0x80;
    const bool surrogates = byte >= 0xF0;  // four bytes, two units
    if (!continuation) units += surrogates ? 2 : 1;
  }
  return units + 1;
}

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

std::string ArtifactPath(std::string_view path, std::string_view root) {
  const fs::path normal = fs::path(path).lexically_normal();
  if (!normal.is_absolute() || root.empty()) return normal.generic_string();
  const fs::path relative = normal.lexically_relative(fs::path(root).lexically_normal());
  const bool below = !relative.empty() && *relative.begin() != "..";
  return (below ? relative : normal).generic_string();
}

std::string ArtifactUri(std::string_view path, std::string_view root) {
  const std::string plain = ArtifactPath(path, root);
  std::string uri = plain.starts_with('/') ? "file://" : "";
  for (const char c : plain) {
    if (Unreserved(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace tilewise
