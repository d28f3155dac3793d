// Escapes, and the mini-language of formats.

#include "python/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "python/value.h"

namespace tilewise::py {
namespace {

void AppendUtf8(uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

size_t HexDigits(char letter) {
  switch (letter) {
    case 'x':
      return 2;
    case 'u':
      return 4;
    case 'U':
      return 8;
    default:
      return 0;
  }
}

struct Specifier {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool alternate = false;
  size_t width = 0;
  char grouping = 0;
  int precision = -1;
  char type = 0;
};

std::optional<Specifier> ParseSpecifier(std::string_view text) {
  Specifier result;
  size_t at = 0;
  const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  size_t first = 1;
  while (first < text.size() && (text[first] & 0xC0) == 0x80) ++first;
  if (text.size() > first && is_align(text[first])) {
    result.fill = text.substr(0, first);
    result.align = text[first];
    at = first + 1;
  } else if (!text.empty() && is_align(text[0])) {
    result.align = text[0];
    at = 1;
  }
  if (at < text.size() && (text[at] == '+' || text[at] == '-' || text[at] == ' ')) {
    result.sign = text[at++];
  }
  if (at < text.size() && text[at] == '#') {
    result.alternate = true;
    ++at;
  }
  if (at < text.size() && text[at] == '0') {
    if (result.align == 0) {
      result.fill = "0";
      result.align = '=';
    }
    ++at;
  }
  const auto number = [&]() {
    size_t value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && value < 10000) {
      value = value * 10 + static_cast<size_t>(text[at++] - '0');
    }
    return value;
  };
  result.width = number();
  if (at < text.size() && (text[at] == ',' || text[at] == '_')) result.grouping = text[at++];
  if (at < text.size() && text[at] == '.') {
    ++at;
    result.precision = static_cast<int>(number());
  }
  if (at < text.size()) result.type = text[at++];
  if (at != text.size()) return std::nullopt;
  return result;
}

std::string Grouped(std::string digits, char separator) {
  if (separator == 0) return digits;
  size_t end = digits.find_first_not_of("0123456789");
  if (end == std::string::npos) end = digits.size();
  for (size_t i = end; i > 3; i -= 3) digits.insert(i - 3, 1, separator);
  return digits;
}

std::string Padded(std::string sign, std::string body, const Specifier& spec, char otherwise) {
  const char align = spec.align == 0 ? otherwise : spec.align;
  const auto points = static_cast<size_t>(
      std::count_if(body.begin(), body.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  const size_t size = sign.size() + points;
  if (size >= spec.width) return sign + body;
  const auto fill = [&](size_t count) {
    std::string result;
    for (size_t i = 0; i < count; ++i) result += spec.fill;
    return result;
  };
  const size_t space = spec.width - size;
  if (align == '<') return sign + body + fill(space);
  if (align == '=') return sign + fill(space) + body;
  if (align == '^') return fill(space / 2) + sign + body + fill(space - space / 2);
  return fill(space) + sign + body;
}

std::string SignOf(bool negative, const Specifier& spec) {
  if (negative) return "-";
  return spec.sign == '-' ? "" : std::string(1, spec.sign);
}

}  // namespace

std::string Unescaped(std::string_view literal) {
  if (literal.find('\\') == std::string_view::npos) return std::string(literal);
  std::string result;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      result += literal[i];
      continue;
    }
    const char next = literal[++i];
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    if (const size_t at = kLetters.find(next); at != std::string_view::npos) {
      result += kMeanings[at];
    } else if (next == '\n') {
      continue;
    } else if (const size_t digits = HexDigits(next); digits > 0) {
      AppendUtf8(static_cast<uint32_t>(
                     std::strtoul(std::string(literal.substr(i + 1, digits)).c_str(), nullptr, 16)),
                 result);
      i += std::min(digits, literal.size() - i - 1);
    } else if (next >= '0' && next <= '7') {
      uint32_t code = 0;
      size_t used = 0;
      while (used < 3 && i + used < literal.size() && literal[i + used] >= '0' &&
             literal[i + used] <= '7') {
        code = code * 8 + static_cast<uint32_t>(literal[i + used++] - '0');
      }
      AppendUtf8(code, result);
      i += used - 1;
    } else {
      result += '\\';
      result += next;
    }
  }
  return result;
}

int64_t CodePoint(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return first;
  const size_t extra = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  int64_t code = first & (0x3F >> extra);
  for (size_t i = 1; i <= extra && i < text.size(); ++i) code = (code << 6) | (text[i] & 0x3F);
  return code;
}

std::string WithoutDoubledBraces(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    const bool brace = text[i] == '{' || text[i] == '}';
    if (brace && i + 1 < text.size() && text[i + 1] == text[i]) ++i;
  }
  return result;
}

std::string FloatText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  // Python writes exponents from 1e16 on and below 1e-4; two digits at least.
  const double size = std::abs(value);
  if (size >= 1e16 && text.find('e') == std::string::npos) text = fmt::format("{:e}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string QuotedText(std::string_view text, bool bytes) {
  const bool single = text.find('\'') == std::string_view::npos;
  const bool other = !single && text.find('"') == std::string_view::npos;
  const char quote = other ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (c == '\r') {
      result += "\\r";
    } else if (static_cast<uint8_t>(c) < 0x20 || c == 0x7f || (bytes && (c & 0x80) != 0)) {
      result += fmt::format("\\x{:02x}", static_cast<uint8_t>(c));
    } else {
      result += c;
    }
  }
  return result + quote;
}

std::string AsciiText(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t size = 1;
    while (at + size < text.size() && (text[at + size] & 0xC0) == 0x80) ++size;
    const int64_t code = CodePoint(text.substr(at, size));
    if (code < 0x80) {
      result += text[at];
    } else if (code < 0x100) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
    }
    at += size;
  }
  return result;
}

std::optional<std::string> FormatInt(int64_t value, std::string_view specifier) {
  const std::optional<Specifier> spec = ParseSpecifier(specifier);
  if (!spec.has_value()) return std::nullopt;
  if (spec->type != 0 && std::string_view("efgEFG%").find(spec->type) != std::string_view::npos) {
    return FormatFloat(static_cast<double>(value), specifier);
  }
  const uint64_t size = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string body, prefix;
  switch (spec->type) {
    case 0:
    case 'd':
    case 'n':
      body = Grouped(fmt::format("{}", size), spec->grouping);
      break;
    case 'x':
      body = fmt::format("{:x}", size);
      prefix = "0x";
      break;
    case 'X':
      body = fmt::format("{:X}", size);
      prefix = "0X";
      break;
    case 'b':
      body = fmt::format("{:b}", size);
      prefix = "0b";
      break;
    case 'o':
      body = fmt::format("{:o}", size);
      prefix = "0o";
      break;
    case 'c':
      AppendUtf8(static_cast<uint32_t>(value), body);
      break;
    default:
      return std::nullopt;
  }
  return Padded(SignOf(value < 0, *spec) + (spec->alternate ? prefix : ""), body, *spec, '>');
}

std::optional<std::string> FormatFloat(double value, std::string_view specifier) {
  const std::optional<Specifier> spec = ParseSpecifier(specifier);
  if (!spec.has_value()) return std::nullopt;
  const double size = std::abs(value);
  const int precision = spec->precision < 0 ? 6 : spec->precision;
  std::string body;
  switch (spec->type) {
    case 0:
      body = spec->precision < 0 ? FloatText(size) : fmt::format("{:.{}g}", size, precision);
      break;
    case 'f':
    case 'F':
      body = fmt::format("{:.{}f}", size, precision);
      break;
    case 'e':
      body = fmt::format("{:.{}e}", size, precision);
      break;
    case 'E':
      body = fmt::format("{:.{}E}", size, precision);
      break;
    case 'g':
    case 'G':
    case 'n':
      body = fmt::format("{:.{}g}", size, precision == 0 ? 1 : precision);
      break;
    case '%':
      body = fmt::format("{:.{}f}%", size * 100, precision);
      break;
    default:
      return std::nullopt;
  }
  return Padded(SignOf(std::signbit(value), *spec), Grouped(body, spec->grouping), *spec, '>');
}

std::optional<std::string> FormatText(std::string_view value, std::string_view specifier) {
  const std::optional<Specifier> spec = ParseSpecifier(specifier);
  if (!spec.has_value() || (spec->type != 0 && spec->type != 's')) return std::nullopt;
  std::string body(
      spec->precision < 0 ? value : value.substr(0, Str(std::string(value)).Byte(spec->precision)));
  return Padded("", body, *spec, '<');
}

}  // namespace tilewise::py
