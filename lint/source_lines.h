// Lines, statements and comments of a source text: what suppression comments
// and fingerprints need to know, and nothing of what the text means.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

// How comments and strings are written.
enum class CommentStyle : uint8_t {
  kPython,  // #, one-line and triple-quoted strings, brackets join lines
  kHash,    // #, one-line strings: YAML, textproto
  kSlash,   // //, /* */, one-line strings: C++, HLO, MLIR, JSON with comments
};
// Returns the style by the ending of the file's name; nullopt: a file without
// comments.
std::optional<CommentStyle> CommentStyleOf(std::string_view path);

struct SourceComment {
  int32_t line = 0;    // 1-based
  int64_t begin = 0;   // byte of its "#" or "//"
  int64_t end = 0;     // byte after its last
  bool alone = false;  // nothing but blanks before it on its line
};

struct SourceLine {
  int64_t begin = 0;
  int64_t end = 0;    // before the line's end
  int32_t first = 0;  // 1-based first and last line of its statement
  int32_t last = 0;
  int32_t closes = 0;  // line where the last bracket opened here is closed
  bool has_code = false;
};

struct SourceLines {
  std::vector<SourceLine> lines;  // line n is at n - 1
  std::vector<SourceComment> comments;
};

// Scans any bytes; strings and brackets without an end reach to the end of the
// line and of the text.
SourceLines ScanSource(std::string_view text, CommentStyle style);

}  // namespace tilewise
