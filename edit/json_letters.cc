// Escapes of RFC 8259, section 7.

#include "edit/json_letters.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace tilewise {
namespace {

void AppendUtf8(uint32_t code, std::string& text) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
}

uint32_t HexAt(std::string_view text, size_t at) {
  uint32_t code = 0;
  const std::string_view digits = text.substr(std::min(at, text.size()), 4);
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  return code;
}

// "\u00e9", or both halves of a pair; `at` moves behind it.
std::string DecodeUnicode(std::string_view text, size_t& at) {
  uint32_t code = HexAt(text, at + 2);
  at += 6;
  if (code >= 0xD800 && code < 0xDC00 && text.substr(at, 2) == "\\u") {
    code = 0x10000 + ((code - 0xD800) << 10) + (HexAt(text, at + 2) - 0xDC00);
    at += 6;
  }
  std::string decoded;
  AppendUtf8(code, decoded);
  return decoded;
}

char DecodeEscape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

std::string Escape(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    default:
      return static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<int>(c))
                                                  : std::string(1, c);
  }
}

}  // namespace

Letters DecodeLiteral(std::string_view literal) {
  Letters letters;
  const std::string_view text = literal.size() < 2 ? "" : literal.substr(1, literal.size() - 2);
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    std::string decoded(1, text[at]);
    if (text[at] != '\\' || at + 1 >= text.size()) {
      ++at;
    } else if (text[at + 1] == 'u') {
      decoded = DecodeUnicode(text, at);
      at = std::min(at, text.size());
    } else {
      decoded[0] = DecodeEscape(text[at + 1]);
      at += 2;
    }
    for (size_t i = 0; i < decoded.size(); ++i) {
      letters.push_back({decoded[i], i == 0 ? std::string(text.substr(begin, at - begin)) : ""});
    }
  }
  return letters;
}

Letters LettersOfText(std::string_view text) {
  Letters letters;
  letters.reserve(text.size());
  for (const char c : text) letters.push_back({c, Escape(c)});
  return letters;
}

std::string LiteralOf(const Letters& letters, size_t begin, size_t end) {
  std::string text = "\"";
  for (size_t i = begin; i < end; ++i) text += letters[i].spelling;
  return text + "\"";
}

std::vector<std::string> LiteralLines(const Letters& letters) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters[i].byte != '\n' && i + 1 < letters.size()) continue;
    lines.push_back(LiteralOf(letters, begin, i + 1));
    begin = i + 1;
  }
  return lines;
}

}  // namespace tilewise
