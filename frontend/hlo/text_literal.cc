// Reads constants. Beyond Literal::kMaxValues elements numbers are only
// compared as they are written, which tells whether one value stands for all.

#include "frontend/hlo/text_literal.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

// One number, word or nothing that is either.
std::optional<double> NumberOf(std::string_view word) {
  if (word == "true") return 1;
  if (word == "false") return 0;
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  double value = 0;
  const char* stop = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), stop, value);
  if (error == std::errc::result_out_of_range) {
    // Too large or too small for a double: which of them, the exponent tells.
    const bool tiny = word.find("e-") != std::string_view::npos;
    const double size = tiny ? 0 : std::numeric_limits<double>::infinity();
    return word[0] == '-' ? -size : size;
  }
  if (error != std::errc()) return std::nullopt;
  // "nan(0x7f)" has its bits after it, in brackets that are read elsewhere.
  return end == stop ? std::optional(value) : std::nullopt;
}

class LiteralReader {
 public:
  LiteralReader(TextCursor& cursor, const HloShape& shape)
      : cursor_(cursor), elements_(ElementsOf(shape)), complex_(IsComplex(shape.dtype)) {}

  bool Read(Literal& literal) {
    if (!Walk()) return false;
    if (elided_ || elements_ == 0 || seen_ != elements_) return true;
    if (alike_ && !first_.empty()) literal.splat = NumberOf(first_);
    if (elements_ <= Literal::kMaxValues && static_cast<int64_t>(values_.size()) == elements_) {
      literal.values = std::move(values_);
    }
    return true;
  }

 private:
  // Walks up to the parenthesis that closes the literal.
  bool Walk() {
    const char* start = cursor_.at();
    for (int64_t depth = 0;;) {
      const char c = cursor_.PeekSign();
      if (c == '(' || c == '{') {
        if (c == '(' && complex_) imaginary_ = false;
        ++depth;
        cursor_.Take(c);
      } else if (c == ')' || c == '}') {
        cursor_.Take(c);
        if (--depth < 0) return c == ')' || BadClose(start);
      } else if (c == ',') {
        cursor_.Take(c);
      } else if (c == '[') {  // dims of a shape before the values
        if (!cursor_.SkipBalanced()) return false;
      } else if (c == '"') {
        elided_ = true;
        if (std::string_view text; !cursor_.Quoted(text)) return false;
      } else if (!Word(start)) {
        return false;
      }
      if (!cursor_.ok()) return false;
    }
  }

  bool BadClose(const char* start) {
    return cursor_.FailAt(start, "found a constant that '}' closes");
  }

  bool Word(const char* start) {
    size_t size = 0;
    while (true) {
      const char c = cursor_.PeekAfter(size);
      if (!IsHloNameChar(c) && c != '+') break;
      ++size;
    }
    if (size == 0) {
      if (cursor_.Peek() == '\0') {
        return cursor_.FailAt(start, "found a constant that is never closed");
      }
      return cursor_.FailExpected("a number of a constant");
    }
    const std::string_view word(cursor_.at(), size);
    cursor_.Return(cursor_.at() + size);
    if (cursor_.Peek() == '[') return true;  // the shape of what follows
    if (word == "...") {
      elided_ = true;
      return true;
    }
    // The bits of a NaN.
    if (cursor_.Peek() == '(' && !cursor_.SkipBalanced()) return false;
    Value(word);
    return true;
  }

  void Value(std::string_view word) {
    if (complex_) {
      const bool skip = imaginary_;
      imaginary_ = !imaginary_;
      if (skip) {
        alike_ = false;  // the imaginary part would have to be alike too
        return;
      }
    }
    ++seen_;
    if (first_.empty()) first_ = word;
    alike_ = alike_ && word == first_;
    if (elements_ > Literal::kMaxValues || seen_ > elements_) return;
    if (const std::optional<double> value = NumberOf(word)) {
      values_.push_back(*value);
    }
  }

  TextCursor& cursor_;
  int64_t elements_;
  bool complex_;
  bool imaginary_ = false;  // the next number of a complex one
  bool elided_ = false;
  bool alike_ = true;
  int64_t seen_ = 0;
  std::string_view first_;
  std::vector<double> values_;
};

}  // namespace

bool ReadLiteral(TextCursor& cursor, const HloShape& shape, Literal& literal) {
  return LiteralReader(cursor, shape).Read(literal);
}

}  // namespace tilewise::hlo
