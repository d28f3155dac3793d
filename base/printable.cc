// Runs of plain ASCII, which nearly all text is, are copied as they are.

#include "base/printable.h"

#include <array>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Bytes of the character that starts with `first`; 0: none does.
size_t Utf8Length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

void AppendEscape(const Utf8Character& character, char byte, std::string& out) {
  if (!character.valid) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  } else if (character.code < 0x100) {
    out += fmt::format("\\x{:02x}", character.code);
  } else {
    out += fmt::format("\\u{:04x}", character.code);
  }
}

// ECMA-48 SGR: ESC [ numbers m.
bool SetsColor(std::string_view text) {
  if (!text.starts_with("\x1b[")) return false;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm';
}

// `keep`: whether an unprintable character at the start of the text stays.
template <class Keep>
std::string Escaped(std::string_view text, const Keep& keep) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char first = text[0];
    if (first >= ' ' && first < 0x7F) {
      out += first;
      text.remove_prefix(1);
      continue;
    }
    const Utf8Character character = DecodeUtf8(text);
    const bool shows = character.valid && !IsUnprintable(character.code);
    if (shows || keep(text)) {
      out += text.substr(0, character.bytes);
    } else if (first == '\t') {
      out += ' ';
    } else {
      AppendEscape(character, first, out);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace

Utf8Character DecodeUtf8(std::string_view text) {
  constexpr std::array<uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = Utf8Length(first);
  if (length == 0 || length > text.size()) return {};
  uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kSmallest[length] || surrogate || code > 0x10FFFF) return {};
  return {.code = code, .bytes = length, .valid = true};
}

bool IsUnprintable(uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;
  if (code < 0x61C) return false;
  return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF ||
         (code >= 0xE0000 && code < 0xE0080);
}

std::string Printable(std::string_view text) {
  return Escaped(text, [](std::string_view) { return false; });
}

std::string PrintableLines(std::string_view text, bool keep_colors) {
  return Escaped(text, [keep_colors](std::string_view rest) {
    return rest[0] == '\n' || rest[0] == '\t' || rest.starts_with("\r\n") ||
           (keep_colors && SetsColor(rest));
  });
}

std::string WithoutCommands(std::string text) {
  for (const std::string_view mark : {"::", "##["}) {
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const size_t before = at == 0 ? std::string::npos : text.find_last_not_of(" \t", at - 1);
      const bool starts = before == std::string::npos || text[before] == '\n';
      if (starts)
        text.replace(at, 1, fmt::format("\\x{:02x}", static_cast<unsigned char>(mark[0])));
    }
  }
  return text;
}

std::string PrintableJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    if (static_cast<unsigned char>(json[0]) < 0x7F) {
      out += json[0];
      json.remove_prefix(1);
      continue;
    }
    const Utf8Character character = DecodeUtf8(json);
    if (character.valid && !IsUnprintable(character.code)) {
      out += json.substr(0, character.bytes);
    } else if (!character.valid) {
      out += "\\ufffd";
    } else if (character.code < 0x10000) {
      out += fmt::format("\\u{:04x}", character.code);
    } else {
      const uint32_t code = character.code - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (code >> 10U), 0xDC00 + (code & 0x3FFU));
    }
    json.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace tilewise
