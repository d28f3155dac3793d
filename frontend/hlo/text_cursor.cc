// The words of HLO text: blanks, names, numbers, strings and balanced brackets.

#include "frontend/hlo/text_cursor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace tilewise::hlo {
namespace {

enum CharClass : uint8_t {
  kOther = 0,
  kName = 1,
  kOpening = 2,
  kClosing = 4,
  kEndOfValue = 8,
};

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes = {};
  const auto mark = [&](std::string_view chars, uint8_t bit) {
    for (const char c : chars) {
      classes[static_cast<unsigned char>(c)] |= bit;
    }
  };
  for (size_t c = 0; c < 26; ++c) {
    classes['a' + c] |= kName;
    classes['A' + c] |= kName;
  }
  mark("0123456789_.-", kName);
  mark("([{", kOpening);
  mark(")]}", kClosing);
  mark(",\n", kEndOfValue);
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool Is(char c, uint8_t bit) { return (kClasses[static_cast<unsigned char>(c)] & bit) != 0; }

}  // namespace

bool IsHloNameChar(char c) { return Is(c, kName); }

void TextCursor::SkipComment() {
  const size_t left = end_ - at_;
  if (at_[1] == '*') {
    const std::string_view rest(at_, left);
    const size_t close = rest.find("*/", 2);
    at_ = close == std::string_view::npos ? end_ : at_ + close + 2;
    return;
  }
  const void* newline = std::memchr(at_, '\n', left);
  const char* stop = newline == nullptr ? end_ : static_cast<const char*>(newline);
  std::string_view line(at_, stop - at_);
  while (!line.empty() && IsBlank(line.back())) line.remove_suffix(1);
  if (line == "// -----") parted_ = true;
  at_ = stop;
}

void TextCursor::SkipRareSpace() {
  while (at_ < end_) {
    if (IsBlank(*at_)) {
      ++at_;
    } else if (*at_ == '/' && end_ - at_ > 1 && (at_[1] == '/' || at_[1] == '*')) {
      SkipComment();
    } else {
      return;
    }
  }
}

bool TextCursor::Expect(char sign) {
  if (Take(sign)) return ok();
  return FailExpected(fmt::format("'{}'", sign));
}

bool TextCursor::TakeWord(std::string_view word) {
  SkipSpace();
  if (static_cast<size_t>(end_ - at_) < word.size()) return false;
  if (std::memcmp(at_, word.data(), word.size()) != 0) return false;
  if (IsHloNameChar(PeekAfter(word.size()))) return false;
  at_ += word.size();
  return true;
}

std::string_view TextCursor::Name() {
  SkipSpace();
  const char* start = at_;
  const bool marked = Peek() == '%';
  if (marked) ++start;
  if (marked && PeekAfter(1) == '"') {
    ++at_;
    std::string_view inside;
    return Quoted(inside) ? inside : std::string_view();
  }
  const char* stop = start;
  while (stop < end_ && Is(*stop, kName)) ++stop;
  // The arrow after a name without a blank between.
  if (stop < end_ && *stop == '>' && stop > start && stop[-1] == '-') --stop;
  if (stop == start) return {};
  if (!marked && (*start == '-' || *start == '.' || (*start >= '0' && *start <= '9'))) {
    return {};
  }
  at_ = stop;
  return {start, static_cast<size_t>(stop - start)};
}

std::string_view TextCursor::ExpectName(std::string_view what) {
  const std::string_view name = Name();
  if (name.empty()) FailExpected(what);
  return name;
}

bool TextCursor::Integer(int64_t& value) {
  SkipSpace();
  const auto [stop, error] = std::from_chars(at_, end_, value);
  if (error == std::errc::result_out_of_range) {
    return FailExpected("an integer of 64 bits");
  }
  if (error != std::errc()) return FailExpected("an integer");
  at_ = stop;
  return ok();
}

bool TextCursor::Real(double& value) {
  SkipSpace();
  const char* start = Peek() == '+' ? at_ + 1 : at_;
  const auto [stop, error] = std::from_chars(start, end_, value);
  if (error == std::errc::invalid_argument) return FailExpected("a number");
  at_ = stop;
  return ok();
}

bool TextCursor::IntegerList(std::vector<int64_t>& values) {
  if (!Expect('{')) return false;
  std::array<int64_t, 8> few = {};
  size_t count = 0;
  values.clear();
  while (PeekSign() != '}') {
    if (count > 0 && !Expect(',')) return false;
    int64_t value = 0;
    if (!Integer(value)) return false;
    if (count < few.size()) {
      few[count] = value;
    } else {
      if (count == few.size()) values.assign(few.begin(), few.end());
      values.push_back(value);
    }
    ++count;
  }
  ++at_;
  if (count <= few.size()) values.assign(few.begin(), few.begin() + count);
  return true;
}

bool TextCursor::SkipString() {
  const char quote = *at_;
  const char* start = at_;
  for (const char* next = at_ + 1;;) {
    const void* found = std::memchr(next, quote, static_cast<size_t>(end_ - next));
    if (found == nullptr) return FailAt(start, "found a string without end");
    const char* stop = static_cast<const char*>(found);
    const char* before = stop;
    while (before > start + 1 && before[-1] == '\\') --before;
    at_ = next = stop + 1;
    if ((stop - before) % 2 == 0) return ok();
  }
}

bool TextCursor::Quoted(std::string_view& inside) {
  const char* start = at_ + 1;
  if (!SkipString()) return false;
  inside = {start, static_cast<size_t>(at_ - 1 - start)};
  return true;
}

bool TextCursor::SkipBalanced() {
  const char* start = at_;
  for (int64_t depth = 0; at_ < end_;) {
    const char c = *at_;
    if (c == '"') {
      if (!SkipString()) return false;
      continue;
    }
    if (c == '/' && (PeekAfter(1) == '*' || PeekAfter(1) == '/')) {
      SkipComment();
      continue;
    }
    ++at_;
    if (Is(c, kOpening)) ++depth;
    if (Is(c, kClosing) && --depth == 0) return ok();
  }
  return FailAt(start, fmt::format("found '{}' that is never closed", *start));
}

std::string_view TextCursor::SkipValue() {
  SkipSpace();
  const char* start = at_;
  while (at_ < end_ && ok()) {
    const char c = *at_;
    if (c == '"') {
      SkipString();
    } else if (Is(c, kOpening)) {
      SkipBalanced();
    } else if (Is(c, kClosing) || Is(c, kEndOfValue)) {
      break;
    } else {
      ++at_;
    }
  }
  return {start, static_cast<size_t>(at_ - start)};
}

void TextCursor::SkipWord() {
  while (at_ < end_ && !IsBlank(*at_) && !Is(*at_, kClosing | kEndOfValue)) {
    ++at_;
  }
}

bool TextCursor::FailAt(const char* at, std::string message) {
  if (failed_) return false;
  failed_ = true;
  failed_at_ = at;
  message_ = std::move(message);
  at_ = end_;
  return false;
}

bool TextCursor::FailExpected(std::string_view what) {
  SkipSpace();
  if (at_ == end_) {
    return Fail(fmt::format("found the end of the text, expected {}", what));
  }
  const char* stop = at_;
  const char* limit = at_ + std::min<ptrdiff_t>(end_ - at_, 40);
  while (stop < limit && !IsBlank(*stop) && *stop != ',') ++stop;
  if (stop == at_) ++stop;
  return Fail(fmt::format("found \"{}\", expected {}", std::string_view(at_, stop - at_), what));
}

absl::Status TextCursor::status() const {
  if (!failed_) return absl::OkStatus();
  const char* line = failed_at_;
  while (line > begin_ && line[-1] != '\n') --line;
  return InvalidInput(fmt::format("line {}:{}: {}", 1 + std::count(begin_, line, '\n'),
                                  failed_at_ - line + 1, message_));
}

size_t TextCursor::LinesToBrace() {
  constexpr ptrdiff_t kShortest = 16;
  constexpr size_t kMostLines = size_t{1} << 20;
  if (at_ < brace_) return 0;
  size_t lines = 0;
  const char* at = at_;
  while (at < end_ && lines < kMostLines) {
    const void* newline = std::memchr(at, '\n', static_cast<size_t>(end_ - at));
    if (newline == nullptr) break;
    const char* next = static_cast<const char*>(newline) + 1;
    if (next - at > kShortest) ++lines;
    at = next;
    while (next < end_ && *next == ' ') ++next;
    if (next < end_ && *next == '}') break;
  }
  brace_ = at;
  return lines;
}

int32_t TextCursor::LineOf(const char* at) {
  while (counted_ < at) {
    const void* newline = std::memchr(counted_, '\n', static_cast<size_t>(at - counted_));
    if (newline == nullptr) {
      counted_ = at;
      break;
    }
    counted_ = static_cast<const char*>(newline) + 1;
    ++lines_;
  }
  return lines_ + 1;
}

}  // namespace tilewise::hlo
