// The marker is "tilewise:" right after a comment's sign; a comment may come
// after another on its line ("# noqa  # tilewise: ignore[IP002]").
// Reach is worked out line by line once, so that asking for a finding's line is
// a look at a few ranges.

#include "lint/suppression_comment.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/nearest_name.h"

namespace tilewise {
namespace {

constexpr std::string_view kMarker = "tilewise:";
constexpr std::string_view kChecks = "tilewise-";  // how the names of checks begin in NOLINT
constexpr size_t kMaxWords = 1'000;                // of one comment: there are far fewer rules
constexpr std::array<std::string_view, 4> kVerbs = {"ignore", "ignore-file", "disable", "enable"};

bool IsSpaceOrTab(char c) { return c == ' ' || c == '\t'; }

size_t SkipBlanks(std::string_view text, size_t i) {
  while (i < text.size() && IsSpaceOrTab(text[i])) ++i;
  return i;
}

// The length of the comment's sign at `i`: "#", "//"; 0: none.
size_t SignAt(std::string_view text, size_t i) {
  if (text.substr(i).starts_with("//")) return 2;
  return i < text.size() && text[i] == '#' ? 1 : 0;
}

struct Found {
  size_t sign;  // where its sign is
  size_t body;  // after the marker
};

std::optional<Found> FindMarker(std::string_view comment) {
  for (size_t i = 0; i < comment.size(); ++i) {
    const size_t sign = SignAt(comment, i);
    if (sign == 0) continue;
    const size_t word = SkipBlanks(comment, i + sign);
    if (comment.substr(word).starts_with(kMarker)) {
      return Found{i, SkipBlanks(comment, word + kMarker.size())};
    }
  }
  return std::nullopt;
}

std::string_view Trimmed(std::string_view text);

// "al005" as the id AL005; names of rules as they are.
std::string IdOf(std::string_view check) {
  const bool id = check.size() == 5 && std::isdigit(static_cast<unsigned char>(check[2])) != 0;
  std::string word(check);
  if (id) {
    for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return word == "*" ? "ALL" : word;
}

// NOLINT(tilewise-al005, tilewise-*) and NOLINTNEXTLINE(..): what they name of tilewise.
std::optional<SuppressionComment> ParseNolint(std::string_view comment, int64_t base) {
  constexpr std::string_view kNolint = "NOLINT";
  constexpr std::string_view kNextLine = "NEXTLINE";
  const size_t at = comment.find(kNolint);
  if (at == std::string_view::npos || !comment.starts_with("//")) return std::nullopt;
  size_t open = at + kNolint.size();
  if (comment.substr(open).starts_with(kNextLine)) open += kNextLine.size();
  const size_t close = comment.find(')', open);
  if (open >= comment.size() || comment[open] != '(' || close == std::string_view::npos) {
    return std::nullopt;
  }
  SuppressionComment found;
  found.of_clang_tidy = true;
  found.begin = base;
  found.end = base + static_cast<int64_t>(comment.size());
  for (size_t begin = open + 1; begin < close;) {
    const size_t end = std::min(comment.find(',', begin), close);
    const std::string_view check = Trimmed(comment.substr(begin, end - begin));
    if (check.starts_with(kChecks)) {
      const auto place = static_cast<int64_t>(check.data() - comment.data());
      found.words.push_back({IdOf(check.substr(kChecks.size())), base + place,
                             base + place + static_cast<int64_t>(check.size())});
    }
    begin = end + 1;
  }
  if (found.words.empty()) return std::nullopt;
  return found;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpaceOrTab(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpaceOrTab(text.back())) text.remove_suffix(1);
  return text;
}

class Parser {
 public:
  Parser(std::string_view comment, int64_t base) : comment_(comment), base_(base) {}

  std::optional<SuppressionComment> Parse() {
    const std::optional<Found> found = FindMarker(comment_);
    if (!found) return ParseNolint(comment_, base_);
    at_ = found->body;
    result_.begin = base_ + static_cast<int64_t>(found->sign);
    ReadVerb();
    if (result_.problem.empty()) ReadWords();
    ReadReason();
    return std::move(result_);
  }

 private:
  void ReadVerb() {
    const size_t begin = at_;
    while (at_ < comment_.size() && !IsSpaceOrTab(comment_[at_]) && comment_[at_] != '[') {
      ++at_;
    }
    const std::string_view verb = comment_.substr(begin, at_ - begin);
    for (size_t i = 0; i < kVerbs.size(); ++i) {
      if (verb != kVerbs[i]) continue;
      result_.verb = static_cast<CommentVerb>(i);
      return;
    }
    const std::vector<std::string> known(kVerbs.begin(), kVerbs.end());
    result_.problem = fmt::format(
        "found '{}' after 'tilewise:', expected ignore, ignore-file, disable or enable{}",
        verb.substr(0, 64), DidYouMean(verb, known));
  }

  void ReadWords() {
    if (at_ >= comment_.size() || comment_[at_] != '[') return;
    const size_t close = comment_.find(']', at_);
    if (close == std::string_view::npos) {
      result_.problem = "found '[' without ']', expected rules in brackets";
      return;
    }
    size_t begin = at_ + 1;
    for (size_t i = begin; i <= close; ++i) {
      if (i != close && comment_[i] != ',') continue;
      AddWord(begin, i);
      begin = i + 1;
    }
    if (result_.words.empty()) {
      result_.problem = "found no rule in the brackets, expected ids, names or families";
    }
    if (result_.words.size() > kMaxWords) {
      result_.words.resize(kMaxWords);
      result_.problem =
          fmt::format("found more than {} rules in the brackets, expected fewer", kMaxWords);
    }
    at_ = close + 1;
  }

  void AddWord(size_t begin, size_t end) {
    begin = SkipBlanks(comment_, begin);
    while (end > begin && IsSpaceOrTab(comment_[end - 1])) --end;
    if (begin >= end) return;
    result_.words.push_back({std::string(comment_.substr(begin, end - begin)),
                             base_ + static_cast<int64_t>(begin),
                             base_ + static_cast<int64_t>(end)});
  }

  // Reads to the end, or to another comment's sign after a blank.
  void ReadReason() {
    size_t end = at_;
    while (end < comment_.size()) {
      const bool next = end > at_ && IsSpaceOrTab(comment_[end - 1]) && SignAt(comment_, end) > 0;
      if (next) break;
      ++end;
    }
    const bool last = end == comment_.size();
    std::string_view reason = Trimmed(comment_.substr(at_, end - at_));
    while (reason.starts_with(':') || reason.starts_with('-')) {
      reason = Trimmed(reason.substr(1));
    }
    result_.reason = std::string(reason);
    while (!last && end > at_ && IsSpaceOrTab(comment_[end - 1])) --end;
    result_.end = base_ + static_cast<int64_t>(end);
  }

  std::string_view comment_;
  int64_t base_;
  size_t at_ = 0;
  SuppressionComment result_;
};

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
    // The comment is within a statement: it counts for the line, and the call
    // that it opens.
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

std::optional<SuppressionComment> ParseSuppressionComment(std::string_view comment, int64_t begin) {
  return Parser(comment, begin).Parse();
}

bool ScopedComment::Covers(int32_t line) const {
  return std::ranges::any_of(
      ranges, [line](const Range& range) { return range.first <= line && line <= range.last; });
}

std::vector<ScopedComment> FindSuppressionComments(std::string_view text, CommentStyle style,
                                                   const std::string& file, int32_t cell) {
  std::vector<ScopedComment> comments;
  // Most texts have none, and need no scan; clang-tidy's comments name "tilewise-" checks.
  if (text.find(kMarker) == std::string_view::npos &&
      text.find(kChecks) == std::string_view::npos) {
    return comments;
  }
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
