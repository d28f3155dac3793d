// Tokens of MLIR text, one at a time, as views into it. Comments and white
// space are skipped; types and the bodies of attributes in angle brackets are
// taken whole (Balanced), since their grammar is the dialect's own.

#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace tilewise::mlir {

enum class TokenKind : uint8_t {
  kEnd,
  kBareId,   // stablehlo.add, dim_numbers, x
  kValueId,  // %0, %arg0, without what selects a result: #1
  kBlockId,  // ^bb0
  kSymbol,   // @main, @"a b"
  kHashId,   // #loc1, #stablehlo.dot
  kTypeId,   // !stablehlo.token
  kString,   // "...", with its quotes
  kInteger,  // 12, -3, 0xFF
  kFloat,    // 1.0e-5
  kArrow,    // ->
  kPunct,    // one character
  kError,    // a string that does not end
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  int32_t line = 1;
  bool first_on_line = false;

  bool Is(char c) const { return kind == TokenKind::kPunct && text[0] == c; }
  bool IsWord(std::string_view word) const { return kind == TokenKind::kBareId && text == word; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text, int32_t line = 1);

  const Token& token() const { return token_; }  // the one to be read next
  void Next();
  // What follows the current token, without taking it.
  Token Peek() const;

  // The current token opens a bracket of any kind: takes all up to the one that
  // closes it, both included. Inside <>, "->" is no bracket.
  absl::StatusOr<std::string_view> Balanced();
  // The current token is read again with what stands right behind it, if that
  // is '<': the bracket up to its end. For #stablehlo.dot<...>.
  absl::StatusOr<std::string_view> WithAngles();

  // Goes on at `position`, an address in the text at or after the token.
  void SkipTo(const char* position);
  const char* position() const { return token_.text.data(); }
  const char* end() const { return end_; }

  // "line 3: found 'x', expected y".
  absl::Status Error(std::string_view expected) const;

 private:
  void SkipSpace();
  Token Lex();
  Token LexNumber(const char* begin);
  Token LexQuoted(TokenKind kind, const char* begin);
  Token Make(TokenKind kind, const char* begin) const;

  const char* at_;
  const char* end_;
  int32_t line_;
  bool first_on_line_ = true;
  Token token_;
};

// Depth of brackets and regions inside each other that is read.
inline constexpr int kMaxDepth = 200;

// Returns the value of a hexadecimal digit; -1: it is none.
int HexValue(char c);

}  // namespace tilewise::mlir
