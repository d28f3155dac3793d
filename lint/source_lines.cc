// One pass over the bytes. Prefixes of strings need no care: a backslash keeps
// a quote from ending a raw string too, as in Python's own lexer.

#include "lint/source_lines.h"

#include <algorithm>
#include <array>

namespace tilewise {
namespace {

struct Ending {
  std::string_view text;
  CommentStyle style;
};
constexpr std::array kEndings = {
    Ending{".py", CommentStyle::kPython},      Ending{".ipynb", CommentStyle::kPython},
    Ending{".yaml", CommentStyle::kHash},      Ending{".yml", CommentStyle::kHash},
    Ending{".config", CommentStyle::kHash},    Ending{".pbtxt", CommentStyle::kHash},
    Ending{".textproto", CommentStyle::kHash}, Ending{".txtpb", CommentStyle::kHash},
    Ending{".prototxt", CommentStyle::kHash},  Ending{".gin", CommentStyle::kHash},
    Ending{".cc", CommentStyle::kSlash},       Ending{".cpp", CommentStyle::kSlash},
    Ending{".cxx", CommentStyle::kSlash},      Ending{".h", CommentStyle::kSlash},
    Ending{".hpp", CommentStyle::kSlash},      Ending{".mlir", CommentStyle::kSlash},
    Ending{".hlo", CommentStyle::kSlash},      Ending{".txt", CommentStyle::kSlash},
    Ending{".json", CommentStyle::kSlash},     Ending{".jsonc", CommentStyle::kSlash},
};

class Scanner {
 public:
  Scanner(std::string_view text, CommentStyle style) : text_(text), style_(style) {}

  SourceLines Scan() {
    StartLine(false);
    while (at_ < text_.size()) Step();
    EndLine();
    CloseStatement();
    return std::move(found_);
  }

 private:
  bool python() const { return style_ == CommentStyle::kPython; }
  bool Next(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  int32_t line() const { return static_cast<int32_t>(found_.lines.size()); }
  SourceLine& current() { return found_.lines.back(); }

  void StartLine(bool goes_on) {
    found_.lines.push_back({.begin = static_cast<int64_t>(at_)});
    shell_ = python() && !goes_on && IsShell();
  }

  void EndLine() { current().end = static_cast<int64_t>(at_); }

  // Notebook lines for the shell and for magics hold any quotes.
  bool IsShell() const {
    size_t i = at_;
    while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t')) ++i;
    return i < text_.size() && (text_[i] == '%' || text_[i] == '!');
  }

  void CloseStatement() {
    for (int32_t i = statement_; i <= line(); ++i) {
      found_.lines[i - 1].first = statement_;
      found_.lines[i - 1].last = line();
    }
    for (const int32_t opened : open_) {
      found_.lines[opened - 1].closes = line();
    }
    open_.clear();
  }

  void NewLine() {
    EndLine();
    ++at_;
    const bool goes_on = python() && (!open_.empty() || joined_ || in_string_);
    if (!goes_on) CloseStatement();
    joined_ = false;
    StartLine(goes_on);
    if (!goes_on) statement_ = line();
  }

  void Step() {
    const char c = text_[at_];
    if (c == '\n') return NewLine();
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
      return;
    }
    if (StartsComment()) return SkipComment();
    if (style_ == CommentStyle::kSlash && Next("/*")) return SkipBlock();
    current().has_code = true;
    if ((c == '"' || c == '\'') && StartsString(c)) return SkipString(c);
    if (c == '\\' && at_ + 1 < text_.size()) return Backslash();
    Bracket(c);
    ++at_;
  }

  bool StartsComment() const {
    if (style_ == CommentStyle::kSlash) return Next("//");
    if (text_[at_] != '#' || shell_) return false;
    if (style_ != CommentStyle::kHash || at_ == 0) return true;
    // A "#" within a word is a letter in YAML.
    const char before = text_[at_ - 1];
    return before == ' ' || before == '\t' || before == '\n';
  }

  // An apostrophe within a word opens nothing in YAML, textproto and C++.
  bool StartsString(char quote) const {
    if (shell_) return false;
    if (python() || quote == '"' || at_ == 0) return true;
    return std::string_view(" \t\n:,[{(=").find(text_[at_ - 1]) != std::string_view::npos;
  }

  void SkipComment() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    size_t last = end;
    while (last > at_ && (text_[last - 1] == '\r' || text_[last - 1] == ' ')) {
      --last;
    }
    found_.comments.push_back({.line = line(),
                               .begin = static_cast<int64_t>(at_),
                               .end = static_cast<int64_t>(last),
                               .alone = !current().has_code});
    at_ = end;
  }

  void SkipBlock() {
    const size_t close = text_.find("*/", at_ + 2);
    const size_t end = close == std::string_view::npos ? text_.size() : close + 2;
    while (at_ < end) {
      if (text_[at_] == '\n') {
        NewLine();
      } else {
        ++at_;
      }
    }
  }

  void SkipString(char quote) {
    const std::string triple(3, quote);
    if (python() && Next(triple)) return SkipTriple(triple);
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      const bool pair = text_[at_] == '\\' && at_ + 1 < text_.size();
      if (pair && text_[at_ + 1] == '\n') {
        joined_ = true;
        ++at_;
        NewLine();
        current().has_code = true;
      } else {
        at_ += pair ? 2 : 1;
      }
    }
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  void SkipTriple(std::string_view triple) {
    in_string_ = true;
    at_ += 3;
    while (at_ < text_.size() && !Next(triple)) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        at_ += 2;
      } else if (text_[at_] == '\n') {
        NewLine();
        current().has_code = true;
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_ + 3, text_.size());
    in_string_ = false;
  }

  // A backslash at the end of a line joins the next one.
  void Backslash() {
    size_t next = at_ + 1;
    if (next < text_.size() && text_[next] == '\r') ++next;
    if (next < text_.size() && text_[next] == '\n') {
      joined_ = true;
      at_ = next;
      return;
    }
    at_ += 2;
  }

  void Bracket(char c) {
    if (!python() || shell_) return;
    if (c == '(' || c == '[' || c == '{') open_.push_back(line());
    if ((c == ')' || c == ']' || c == '}') && !open_.empty()) {
      const int32_t opened = open_.back();
      open_.pop_back();
      found_.lines[opened - 1].closes = line();
    }
  }

  std::string_view text_;
  CommentStyle style_;
  size_t at_ = 0;
  int32_t statement_ = 1;      // its first line
  std::vector<int32_t> open_;  // lines of open brackets
  bool joined_ = false;        // by a backslash
  bool in_string_ = false;
  bool shell_ = false;
  SourceLines found_;
};

}  // namespace

std::optional<CommentStyle> CommentStyleOf(std::string_view path) {
  for (const Ending& ending : kEndings) {
    if (path.ends_with(ending.text)) return ending.style;
  }
  return std::nullopt;
}

SourceLines ScanSource(std::string_view text, CommentStyle style) {
  return Scanner(text, style).Scan();
}

}  // namespace tilewise
