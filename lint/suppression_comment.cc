// The marker is "tilewise:" right after a comment's sign; a comment may come
// after another on its line ("# noqa  # tilewise: ignore[IP002]").

#include "lint/suppression_comment.h"

#include <array>

#include <fmt/format.h>

#include "base/nearest_name.h"

namespace tilewise {
namespace {

constexpr std::string_view kMarker = "tilewise:";
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
    if (!found) return std::nullopt;
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
        "found '{}' after 'tilewise:', expected ignore, ignore-file, disable "
        "or enable{}",
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
      result_.problem =
          "found no rule in the brackets, expected ids, names or "
          "families";
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

  // To the end, or to another comment's sign after a blank.
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

}  // namespace

std::optional<SuppressionComment> ParseSuppressionComment(std::string_view comment, int64_t begin) {
  return Parser(comment, begin).Parse();
}

}  // namespace tilewise
