// A position in HLO text and the small words of its grammar. The first failure
// is kept with its location, and nothing is read after it: every reading
// function answers false then, so callers may check late.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise::hlo {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text)
      : begin_(text.data()),
        at_(text.data()),
        end_(text.data() + text.size()),
        counted_(text.data()) {}

  // Moves past blanks and comments: // to the end of the line, and /* */.
  void SkipSpace() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n')) ++at_;
    if (at_ < end_ && (*at_ == '/' || IsBlank(*at_))) SkipRareSpace();
  }
  bool done() {
    SkipSpace();
    return at_ == end_;
  }
  const char* at() const { return at_; }
  void Return(const char* at) { at_ = at; }
  // The next character; 0 at the end.
  char Peek() const { return at_ < end_ ? *at_ : '\0'; }
  char PeekAfter(size_t count) const {
    return count < static_cast<size_t>(end_ - at_) ? at_[count] : '\0';
  }
  char PeekSign() {
    SkipSpace();
    return Peek();
  }

  bool Take(char sign) {
    if (PeekSign() != sign || at_ == end_) return false;
    ++at_;
    return true;
  }
  bool Expect(char sign);
  // Takes `word` when it stands here, up to a character that is of no name.
  bool TakeWord(std::string_view word);
  // A name, with or without % before it, which is left out; "" when there is
  // none (no failure).
  std::string_view Name();
  std::string_view ExpectName(std::string_view what);
  bool Integer(int64_t& value);
  bool Real(double& value);
  // Integers between braces, with commas.
  bool IntegerList(std::vector<int64_t>& values);
  // The inside of a quoted string as it stands; the cursor is at the quote.
  bool Quoted(std::string_view& inside);
  // Moves past what starts with a bracket of any kind, strings minded.
  bool SkipBalanced();
  // Moves past the value of an attribute, whatever it is, and returns it.
  std::string_view SkipValue();

  // Moves past what stands before the next blank, comma or closing bracket.
  void SkipWord();

  // Lines from here to one that starts with a closing brace that are long
  // enough for an instruction: how many to make room for, a million at most. 0
  // inside of lines that were counted, so that each is looked at once.
  size_t LinesToBrace();

  bool ok() const { return !failed_; }
  bool Fail(std::string message) { return FailAt(at_, std::move(message)); }
  bool FailAt(const char* at, std::string message);
  // "found X, expected what" with X as the next characters.
  bool FailExpected(std::string_view what);
  absl::Status status() const;

  // Line of `at`, from 1; positions must come in order.
  int32_t LineOf(const char* at);
  // Whether a line "// -----", which parts files, was skipped; clears it.
  bool TakeParted() {
    const bool parted = parted_;
    parted_ = false;
    return parted;
  }

 private:
  static bool IsBlank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
  }
  void SkipRareSpace();
  void SkipComment();
  bool SkipString();

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* counted_;          // up to here the lines are counted
  int32_t lines_ = 0;            // before counted_
  const char* brace_ = nullptr;  // up to here LinesToBrace has looked
  bool parted_ = false;
  bool failed_ = false;
  const char* failed_at_ = nullptr;
  std::string message_;
};

// May stand in a name after its first character.
bool IsHloNameChar(char c);

}  // namespace tilewise::hlo
