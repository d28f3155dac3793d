// See lexer.h.

#include "frontend/mlir/lexer.h"

#include <cstring>
#include <string>

#include <fmt/format.h>

namespace tilewise::mlir {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsIdChar(char c) { return IsLetter(c) || IsDigit(c) || c == '.' || c == '$'; }
// Names behind % and ^ may have a dash too.
bool IsSuffixChar(char c) { return IsIdChar(c) || c == '-'; }

std::string Shown(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  }
  return shown;
}

}  // namespace

Lexer::Lexer(std::string_view text, int32_t line)
    : at_(text.data()), end_(text.data() + text.size()), line_(line) {
  token_ = Lex();
}

void Lexer::Next() { token_ = Lex(); }

Token Lexer::Peek() const {
  Lexer copy = *this;
  copy.Next();
  return copy.token_;
}

void Lexer::SkipTo(const char* position) {
  for (const char* p = at_; p < position; ++p) line_ += *p == '\n' ? 1 : 0;
  if (position > at_) at_ = position;
  token_ = Lex();
}

absl::Status Lexer::Error(std::string_view expected) const {
  if (token_.kind == TokenKind::kError) {
    return InvalidInput(
        fmt::format("line {}: the string {} does not end", token_.line, Shown(token_.text)));
  }
  if (token_.kind == TokenKind::kEnd) {
    return InvalidInput(fmt::format("line {}: the text ends, expected {}", token_.line, expected));
  }
  return InvalidInput(
      fmt::format("line {}: found '{}', expected {}", token_.line, Shown(token_.text), expected));
}

void Lexer::SkipSpace() {
  while (at_ < end_) {
    const char c = *at_;
    if (c == '\n') {
      ++line_;
      first_on_line_ = true;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && at_ + 1 < end_ && at_[1] == '/') {
      const void* found = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
      at_ = found == nullptr ? end_ : static_cast<const char*>(found);
    } else {
      return;
    }
  }
}

Token Lexer::Make(TokenKind kind, const char* begin) const {
  Token token;
  token.kind = kind;
  token.text = std::string_view(begin, at_ - begin);
  token.line = line_;
  return token;
}

Token Lexer::LexQuoted(TokenKind kind, const char* begin) {
  const int32_t first_line = line_;
  ++at_;  // the quote
  while (at_ < end_ && *at_ != '"') {
    if (*at_ == '\n') ++line_;
    at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
  }
  Token token;
  if (at_ >= end_) {
    at_ = end_;
    token = Make(TokenKind::kError, begin);
  } else {
    ++at_;
    token = Make(kind, begin);
  }
  token.line = first_line;
  return token;
}

Token Lexer::LexNumber(const char* begin) {
  if (*at_ == '-') ++at_;
  if (*at_ == '0' && at_ + 2 < end_ && at_[1] == 'x' && IsHexDigit(at_[2])) {
    at_ += 2;
    while (at_ < end_ && IsHexDigit(*at_)) ++at_;
    return Make(TokenKind::kInteger, begin);
  }
  while (at_ < end_ && IsDigit(*at_)) ++at_;
  if (at_ + 1 >= end_ || *at_ != '.' || !(IsDigit(at_[1]) || at_[1] == 'e' || !IsLetter(at_[1]))) {
    return Make(TokenKind::kInteger, begin);
  }
  ++at_;
  while (at_ < end_ && IsDigit(*at_)) ++at_;
  if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
    const char* sign = at_ + 1;
    if (sign < end_ && (*sign == '-' || *sign == '+')) ++sign;
    if (sign < end_ && IsDigit(*sign)) {
      at_ = sign;
      while (at_ < end_ && IsDigit(*at_)) ++at_;
    }
  }
  return Make(TokenKind::kFloat, begin);
}

Token Lexer::Lex() {
  SkipSpace();
  const bool first = first_on_line_;
  first_on_line_ = false;
  Token token;
  const char* begin = at_;
  if (at_ >= end_) {
    token = Make(TokenKind::kEnd, begin);
    token.first_on_line = true;
    return token;
  }
  const char c = *at_;
  if (IsLetter(c)) {
    while (at_ < end_ && IsIdChar(*at_)) ++at_;
    token = Make(TokenKind::kBareId, begin);
  } else if (c == '%' || c == '^') {
    ++at_;
    while (at_ < end_ && IsSuffixChar(*at_)) ++at_;
    token = Make(c == '%' ? TokenKind::kValueId : TokenKind::kBlockId, begin);
  } else if (c == '"') {
    token = LexQuoted(TokenKind::kString, begin);
  } else if (c == '@' || c == '#' || c == '!') {
    ++at_;
    if (c == '@' && at_ < end_ && *at_ == '"') {
      token = LexQuoted(TokenKind::kSymbol, begin);
    } else {
      // A symbol of PyTorch ends in any number of dots and digits.
      while (at_ < end_ && IsSuffixChar(*at_)) ++at_;
      token = Make(c == '@'   ? TokenKind::kSymbol
                   : c == '#' ? TokenKind::kHashId
                              : TokenKind::kTypeId,
                   begin);
    }
  } else if (IsDigit(c) || (c == '-' && at_ + 1 < end_ && IsDigit(at_[1]))) {
    token = LexNumber(begin);
  } else if (c == '-' && at_ + 1 < end_ && at_[1] == '>') {
    at_ += 2;
    token = Make(TokenKind::kArrow, begin);
  } else {
    ++at_;
    token = Make(TokenKind::kPunct, begin);
  }
  token.first_on_line = first;
  return token;
}

absl::StatusOr<std::string_view> Lexer::Balanced() {
  const char* begin = token_.text.data();
  const Token opened = token_;
  const bool angles = opened.Is('<');
  // The kinds of the brackets that are open, so that "<" in a comparison
  // inside other brackets does no harm.
  char open[kMaxDepth];
  int depth = 0;
  const char* p = begin;
  for (; p < end_; ++p) {
    switch (*p) {
      case '"': {
        ++p;
        while (p < end_ && *p != '"') p += *p == '\\' ? 2 : 1;
        break;
      }
      case '/':
        if (!angles && p + 1 < end_ && p[1] == '/') {
          while (p < end_ && *p != '\n') ++p;
        }
        break;
      case '<':
        if (!angles) break;
        [[fallthrough]];
      case '(':
      case '[':
      case '{':
        if (depth == kMaxDepth) {
          return InvalidInput(
              fmt::format("line {}: brackets are more than {} deep", opened.line, kMaxDepth));
        }
        open[depth++] = *p;
        break;
      case '>':
        if (!angles || p[-1] == '-') break;
        [[fallthrough]];
      case ')':
      case ']':
      case '}': {
        const char c = *p;
        const char want = c == '>' ? '<' : c == ')' ? '(' : c == ']' ? '[' : '{';
        // ">=" of an affine set closes nothing.
        if (c == '>' && p + 1 < end_ && p[1] == '=' && depth > 0 && open[depth - 1] == '(') {
          break;
        }
        if (depth == 0 || open[depth - 1] != want) {
          return InvalidInput(fmt::format("line {}: the bracket '{}' is closed by '{}'",
                                          opened.line, depth == 0 ? ' ' : open[depth - 1], c));
        }
        if (--depth == 0) {
          const std::string_view text(begin, p + 1 - begin);
          SkipTo(p + 1);
          return text;
        }
        break;
      }
      default:
        break;
    }
  }
  return InvalidInput(
      fmt::format("line {}: the bracket '{}' is not closed", opened.line, Shown(opened.text)));
}

absl::StatusOr<std::string_view> Lexer::WithAngles() {
  const char* begin = token_.text.data();
  const char* behind = begin + token_.text.size();
  const bool angles = behind < end_ && *behind == '<';
  Next();
  if (angles) {
    TW_ASSIGN_OR_RETURN(const std::string_view body, Balanced());
    behind = body.data() + body.size();
  }
  return std::string_view(begin, behind - begin);
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace tilewise::mlir
