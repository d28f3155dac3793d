// Suppression comments as they are written:
//
//   ds = ds.batch(8)  # tilewise: ignore[DY002] the last batch is dropped later
//   # tilewise: ignore[AL005, IP]      (above the statement)
//   # tilewise: ignore-file[IP002] generated
//   # tilewise: disable[AL] ... # tilewise: enable[AL]

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"

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
  // Bytes from its "#" to its end, or to the next comment on the same line.
  int64_t begin = 0;
  int64_t end = 0;
};

// `comment`: from its "#" or "//" on, at byte `begin` of the text. Nullopt: a
// comment for people.
std::optional<SuppressionComment> ParseSuppressionComment(std::string_view comment, int64_t begin);

}  // namespace tilewise
