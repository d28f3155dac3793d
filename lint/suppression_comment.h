// Suppression comments as they are written:
//
//   ds = ds.batch(8)  # tilewise: ignore[DY002] the last batch is dropped later
//   # tilewise: ignore[AL005, IP]      (above the statement)
//   # tilewise: ignore-file[IP002] generated
//   # tilewise: disable[AL] ... # tilewise: enable[AL]
//   auto t = Tile(s, x, m);  // NOLINT(tilewise-op005), and NOLINTNEXTLINE of clang-tidy
//
// and where in a text each of them counts.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "lint/source_lines.h"

namespace tilewise {

enum class CommentVerb : uint8_t {
  kIgnore,
  kIgnoreFile,
  kDisable,
  kEnable,
};

// A rule between the brackets, with its bytes in the text.
struct CommentWord {
  std::string text;  // "IP002"
  int64_t begin = 0;
  int64_t end = 0;
};

struct SuppressionComment {
  CommentVerb verb = CommentVerb::kIgnore;
  std::vector<CommentWord> words;  // empty: every rule
  std::string reason;
  // What is wrong with it, "found .., expected .."; it then silences nothing.
  std::string problem;
  bool of_clang_tidy = false;  // NOLINT, which may be of other checks as well
  // Bytes from its "#" to its end, or to the next comment on the same line.
  int64_t begin = 0;
  int64_t end = 0;
};

// `comment`: from its "#" or "//" on, at byte `begin` of the text. Nullopt: a
// comment for people.
std::optional<SuppressionComment> ParseSuppressionComment(std::string_view comment, int64_t begin);

// One comment of one text (a file, or a cell of a notebook) and its reach.
struct ScopedComment {
  SuppressionComment comment;
  Location place;      // of its sign
  bool alone = false;  // nothing but blanks before it on its line
  // Bytes to take out to be rid of it: with its line where it is all of it,
  // else with the blanks before it.
  int64_t remove_begin = 0;
  int64_t remove_end = 0;
  bool ends_something = false;  // of `enable`

  // Lines that it silences; the whole file for ignore-file.
  struct Range {
    int32_t first = 0;
    int32_t last = 0;
  };
  std::vector<Range> ranges;
  bool Covers(int32_t line) const;
};

// Returns the comments in the order of the text. A comment at the end of a line
// counts for that line, and for the whole statement when the line is its first
// or last one, and for a call that begins further up and is closed on the line.
// A comment alone on its line counts for the next line with code, and for the
// whole statement when one starts there. `disable` counts until `enable` names
// the same word or none, or the text ends.
std::vector<ScopedComment> FindSuppressionComments(std::string_view text, CommentStyle style,
                                                   const std::string& file, int32_t cell);

}  // namespace tilewise
