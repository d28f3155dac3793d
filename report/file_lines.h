// Lines of the files as they were read, found in one step however many findings
// a file has; locations in them, and their paths, as other programs want them.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
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
  // Returns the line without its end; nothing when the location has no line.
  std::optional<std::string_view> Line(const Location& location) const;

  // The line of the file: for a location in a notebook the one of its JSON that
  // has the cell's line. 0 when the location has no line.
  int64_t LineInFile(const Location& location) const;

  struct Position {
    int64_t line = 1;    // 1-based
    int64_t column = 1;  // 1-based, in bytes
  };
  // Returns the position of a byte of the file; nothing beyond its end.
  std::optional<Position> PositionOf(std::string_view file, int32_t cell, int64_t byte) const;

 private:
  struct Indexed {
    std::string_view text;
    std::vector<size_t> starts;  // of lines
  };
  const Indexed* Find(std::string_view file, int32_t cell) const;

  std::map<std::string_view, const SourceFile*> files_;
  // These are made when they are first asked for.
  mutable std::map<std::string_view, std::map<int32_t, Indexed>> indexed_;
  mutable std::map<std::string_view, std::vector<std::vector<int64_t>>> notebooks_;
};

// A 1-based column in bytes as one in UTF-16 code units, which is how editors
// and SARIF count.
int64_t Utf16Column(std::string_view line, int64_t column);

// Returns, for each code cell, the 1-based line of the file for each line of
// its text: those of its list of strings, or of the one string that it is. Text
// that is no notebook gives nothing, or lines that mean nothing.
std::vector<std::vector<int64_t>> NotebookLines(std::string_view bytes);

struct Excerpt {
  int64_t line = 0;    // 1-based, as in the location; 0 for an op
  std::string text;    // clipped to the width around the caret
  int64_t caret = -1;  // index of a character in `text`; -1: none
  int64_t carets = 1;  // how many characters are marked
};

// Returns nothing when the location has no line or its file was not read as
// text.
std::optional<Excerpt> FindExcerpt(const FileLines& files, const Location& location, int width);

// The line of an op of a file that has no lines.
Excerpt ExcerptOfOp(const OpLine& op, int width);

// Returns the path without "./" and "..", relative to `root` where it is below
// it.
std::string ArtifactPath(std::string_view path, std::string_view root);

// The same as a URI (RFC 3986): all but unreserved characters and slashes
// percent-encoded; "file://" before a path that is absolute.
std::string ArtifactUri(std::string_view path, std::string_view root);

}  // namespace tilewise
