// Edits are sorted and copied into a new text in one sweep.

#include "edit/files.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/notebook.h"

namespace tilewise {
namespace {

// Ends the lines of the replacement as the first line of `text` ends.
std::string WithLineEnds(std::string_view replacement, std::string_view text) {
  const size_t first = text.find('\n');
  if (first == std::string_view::npos || first == 0 || text[first - 1] != '\r') {
    return std::string(replacement);
  }
  std::string result;
  char before = '\0';
  for (const char c : replacement) {
    if (c == '\n' && before != '\r') result += '\r';
    result += c;
    before = c;
  }
  return result;
}

bool BySpan(const TextEdit& a, const TextEdit& b) { return a.span < b.span; }

absl::Status CheckOrder(const std::vector<TextEdit>& sorted) {
  for (size_t i = 1; i < sorted.size(); ++i) {
    const Span& before = sorted[i - 1].span;
    const Span& next = sorted[i].span;
    if (before.cell == next.cell && next.begin < before.end) {
      return absl::InternalError(
          fmt::format("{}: found edits that overlap at byte {}", next.file, next.begin));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> EditPlain(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string result;
  size_t done = 0;
  for (const TextEdit& edit : edits) {
    const size_t begin = edit.span.begin;
    const size_t end = edit.span.end;
    if (edit.span.begin < 0 || begin > end || end > text.size()) {
      return InvalidInput(
          fmt::format("{}: found an edit of bytes {} to {}, expected at most "
                      "{}",
                      edit.span.file, edit.span.begin, edit.span.end, text.size()));
    }
    result += text.substr(done, begin - done);
    result += edit.replacement;
    done = end;
  }
  result += text.substr(done);
  return result;
}

const SourceFile* FileNamed(std::span<const SourceFile> files, const std::string& path) {
  const auto found = std::ranges::find(files, path, &SourceFile::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

bool Collide(const TextEdit& a, const TextEdit& b) {
  const Span& x = a.span;
  const Span& y = b.span;
  if (x.file != y.file || x.cell != y.cell) return false;
  const bool inserts = x.begin == x.end || y.begin == y.end;
  return inserts ? x.begin <= y.end && y.begin <= x.end : x.begin < y.end && y.begin < x.end;
}

absl::StatusOr<std::string> EditBytes(const SourceFile& file, std::string_view bytes,
                                      std::vector<TextEdit> edits) {
  std::ranges::stable_sort(edits, BySpan);
  TW_RETURN_IF_ERROR(CheckOrder(edits));
  const size_t mark = bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::string_view text = bytes.substr(mark);
  // Readers give the text with or without the mark.
  const bool with_mark = mark > 0 && file.text == bytes;
  if (!with_mark && file.text != text) {
    return InvalidInput(
        fmt::format("{}: found other bytes than the text that was linted, expected a text "
                    "file that did not change",
                    file.path));
  }
  for (TextEdit& edit : edits) {
    const size_t cell = edit.span.cell;
    const bool in_cell = cell > 0 && cell <= file.cells.size();
    edit.replacement = WithLineEnds(edit.replacement, in_cell ? file.cells[cell - 1] : text);
  }
  if (!file.cells.empty()) {
    absl::StatusOr<std::string> edited = EditNotebook(bytes, std::move(edits));
    return edited.ok() ? std::move(edited) : Annotate(edited.status(), file.path);
  }
  TW_ASSIGN_OR_RETURN(std::string edited, EditPlain(with_mark ? bytes : text, edits));
  return with_mark ? edited : std::string(bytes.substr(0, mark)) + edited;
}

absl::StatusOr<FileTexts> EditFiles(std::span<const SourceFile> files, FileTexts texts,
                                    std::span<const TextEdit> edits) {
  std::map<std::string, std::vector<TextEdit>> by_file;
  for (const TextEdit& edit : edits) by_file[edit.span.file].push_back(edit);
  for (auto& [path, of_file] : by_file) {
    const SourceFile* file = FileNamed(files, path);
    const auto text = texts.find(path);
    if (file == nullptr || text == texts.end()) {
      return InvalidInput(fmt::format("{}: found an edit of a file that was not given", path));
    }
    TW_ASSIGN_OR_RETURN(text->second, EditBytes(*file, text->second, std::move(of_file)));
  }
  return texts;
}

}  // namespace tilewise
