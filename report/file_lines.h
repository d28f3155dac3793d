// Lines of the files as they were read, found in one step however many findings
// a file has; and places in them as other programs count.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "workload/workload.h"

namespace tilewise {

// Refers to the files, which outlive it.
class FileLines {
 public:
  FileLines(std::span<const SourceFile> files);
  FileLines(const std::vector<SourceFile>& files) : FileLines(std::span<const SourceFile>(files)) {}

  // The file, or the cell of a notebook; nothing when it was not read as text.
  std::optional<std::string_view> Text(std::string_view file, int32_t cell) const;
  // Without its end; nothing when the place has no line.
  std::optional<std::string_view> Line(const Location& location) const;

  // The line of the file: for a place in a notebook the one of its JSON that
  // has the cell's line. 0 when the place has no line.
  int64_t LineInFile(const Location& location) const;

  struct Position {
    int64_t line = 1;    // 1-based
    int64_t column = 1;  // 1-based, in bytes
  };
  // Of a byte of the file; nothing beyond its end.
  std::optional<Position> PositionOf(std::string_view file, int32_t cell, int64_t byte) const;

 private:
  struct Indexed {
    std::string_view text;
    std::vector<size_t> starts;  // of lines
  };
  const Indexed* Find(std::string_view file, int32_t cell) const;

  std::map<std::string_view, const SourceFile*> files_;
  // Made when they are first asked for.
  mutable std::map<std::string_view, std::map<int32_t, Indexed>> indexed_;
  mutable std::map<std::string_view, std::vector<std::vector<int64_t>>> notebooks_;
};

// A 1-based column in bytes as one in UTF-16 code units, which is how editors
// and SARIF count.
int64_t Utf16Column(std::string_view line, int64_t column);

}  // namespace tilewise
