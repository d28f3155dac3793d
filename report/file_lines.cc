// The starts of a file's lines are found when its first line is asked for.

#include "report/file_lines.h"

#include <algorithm>

#include "report/notebook_lines.h"

namespace tilewise {
namespace {

std::vector<size_t> LineStarts(std::string_view text) {
  std::vector<size_t> starts = {0};
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts.push_back(at + 1);
  }
  return starts;
}

}  // namespace

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

}  // namespace tilewise
