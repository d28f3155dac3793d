// Reach is worked out line by line once, so that asking for a finding's line is
// a look at a few ranges.

#include "lint/suppression_scope.h"

#include <algorithm>

namespace tilewise {
namespace {

using Range = ScopedComment::Range;

const SourceLine& LineAt(const SourceLines& source, int32_t line) { return source.lines[line - 1]; }

int32_t LastLine(const SourceLines& source) { return static_cast<int32_t>(source.lines.size()); }

std::vector<Range> RangesOfTrailing(const SourceLines& source, int32_t line) {
  const SourceLine& at = LineAt(source, line);
  if (at.first != at.last && (line == at.first || line == at.last)) {
    return {{at.first, at.last}};
  }
  std::vector<Range> ranges = {{line, line}};
  for (int32_t above = at.first; above < line; ++above) {
    if (LineAt(source, above).closes == line) ranges.push_back({above, above});
  }
  return ranges;
}

std::vector<Range> RangesOfAlone(const SourceLines& source, int32_t line) {
  for (int32_t next = line + 1; next <= LastLine(source); ++next) {
    const SourceLine& at = LineAt(source, next);
    if (!at.has_code) continue;
    if (at.first == next) return {{at.first, at.last}};
    // Within a statement: the line, and the call that it opens.
    return {{next, std::max(next, at.closes)}};
  }
  return {};
}

std::vector<Range> RangesOf(const SourceLines& source, const ScopedComment& scoped) {
  const int32_t line = scoped.place.line;
  switch (scoped.comment.verb) {
    case CommentVerb::kIgnore:
      return scoped.alone ? RangesOfAlone(source, line) : RangesOfTrailing(source, line);
    case CommentVerb::kIgnoreFile:
      return {{0, LastLine(source)}};
    case CommentVerb::kDisable:
      return {{line, LastLine(source)}};
    case CommentVerb::kEnable:
      return {};
  }
  return {};
}

bool NamesSame(const SuppressionComment& disable, const SuppressionComment& enable) {
  if (enable.words.empty()) return true;
  return std::ranges::any_of(enable.words, [&](const CommentWord& word) {
    return std::ranges::any_of(disable.words,
                               [&](const CommentWord& other) { return other.text == word.text; });
  });
}

// An open range ends where what it names is enabled again. A comment that
// disables several rules is ended as a whole.
void EndRanges(std::vector<ScopedComment>& comments) {
  for (size_t i = 0; i < comments.size(); ++i) {
    if (comments[i].comment.verb != CommentVerb::kEnable) continue;
    for (size_t k = 0; k < i; ++k) {
      ScopedComment& open = comments[k];
      if (open.comment.verb != CommentVerb::kDisable) continue;
      Range& range = open.ranges.front();
      if (range.last < comments[i].place.line) continue;
      if (!NamesSame(open.comment, comments[i].comment)) continue;
      range.last = comments[i].place.line;
      comments[i].ends_something = true;
    }
  }
}

void SetRemoval(std::string_view text, const SourceLine& line, int64_t comments_end,
                ScopedComment& scoped) {
  const auto is_blank = [text](int64_t i) {
    const char c = text[i];
    return c == ' ' || c == '\t';
  };
  int64_t& begin = scoped.remove_begin;
  int64_t& end = scoped.remove_end;
  begin = scoped.comment.begin;
  end = scoped.comment.end;
  const bool last = end == comments_end;
  if (last) {
    while (begin > line.begin && is_blank(begin - 1)) --begin;
    if (begin == line.begin) {
      end = std::min<int64_t>(line.end + 1, static_cast<int64_t>(text.size()));
    }
  } else {
    while (end < comments_end && is_blank(end)) ++end;
  }
}

}  // namespace

bool ScopedComment::Covers(int32_t line) const {
  return std::ranges::any_of(
      ranges, [line](const Range& range) { return range.first <= line && line <= range.last; });
}

std::vector<ScopedComment> FindSuppressionComments(std::string_view text, CommentStyle style,
                                                   const std::string& file, int32_t cell) {
  std::vector<ScopedComment> comments;
  // Most texts have none, and need no scan.
  if (text.find("tilewise:") == std::string_view::npos) return comments;
  const SourceLines source = ScanSource(text, style);
  for (const SourceComment& found : source.comments) {
    std::optional<SuppressionComment> comment =
        ParseSuppressionComment(text.substr(found.begin, found.end - found.begin), found.begin);
    if (!comment) continue;
    const SourceLine& line = LineAt(source, found.line);
    ScopedComment scoped;
    scoped.place = {.file = file,
                    .line = found.line,
                    .column = static_cast<int32_t>(comment->begin - line.begin) + 1,
                    .cell = cell};
    scoped.comment = *std::move(comment);
    scoped.alone = found.alone;
    SetRemoval(text, line, found.end, scoped);
    if (scoped.comment.problem.empty()) {
      scoped.ranges = RangesOf(source, scoped);
    }
    comments.push_back(std::move(scoped));
  }
  EndRanges(comments);
  return comments;
}

}  // namespace tilewise
