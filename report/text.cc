// Colours are SGR escape sequences (ECMA-48 8.3.117), the ones every terminal
// knows. Line breaking is greedy. A table is printed in two ways: padded to the
// widest cell, and with pipes.

#include "report/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"

namespace tilewise {
namespace {

std::string Padded(const std::string& cell, size_t width, Align align) {
  const size_t used = DisplayWidth(cell);
  const std::string fill(width > used ? width - used : 0, ' ');
  return align == Align::kLeft ? cell + fill : fill + cell;
}

std::string EscapePipes(const std::string& cell) {
  std::string escaped;
  for (const char c : cell) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string MarkdownLine(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + EscapePipes(cell) + " |";
  return line + "\n";
}

}  // namespace

std::string Style::Paint(std::string_view code, std::string_view text) const {
  if (!color_) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string Style::Name(Severity severity) const {
  switch (severity) {
    case Severity::kInfo:
      return Paint("1;36", "info");
    case Severity::kWarning:
      return Paint("1;33", "warning");
    case Severity::kError:
      return Paint("1;31", "error");
  }
  return "?";
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (const char c : text) {
    const bool continuation = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continuation) ++width;
  }
  return width;
}

std::string Wrap(std::string_view text, int width, std::string_view first, std::string_view rest) {
  const size_t limit = width;
  const std::string clean = Printable(text);
  std::string out, line(first);
  bool line_has_word = false;
  for (size_t begin = 0; begin < clean.size();) {
    size_t end = clean.find(' ', begin);
    if (end == std::string::npos) end = clean.size();
    const std::string word = clean.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    if (line_has_word && DisplayWidth(line) + 1 + DisplayWidth(word) > limit) {
      out += line + "\n";
      line = std::string(rest);
      line_has_word = false;
    }
    if (line_has_word) line += ' ';
    line += word;
    line_has_word = true;
  }
  return out + line + "\n";
}

std::string EscapeMarkdown(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    if (std::string_view("\\`*_<>[]#|").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
  }
  return escaped;
}

void Table::AddRow(std::vector<std::string> cells) {
  TW_CHECK(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = Printable(cell);
  rows_.push_back(std::move(cells));
}

std::vector<size_t> Table::Widths() const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) {
    widths.push_back(DisplayWidth(column.title));
  }
  for (const std::vector<std::string>& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  return widths;
}

namespace {

// "...folder/file.py": of a path the end tells more.
std::string EndOf(const std::string& text, size_t most) {
  if (DisplayWidth(text) <= most) return text;
  size_t begin = text.size() - std::min(text.size(), most - 3);
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return "..." + text.substr(begin);
}

}  // namespace

std::string Table::Text(std::string_view indent, int width) const {
  constexpr size_t kLeast = 12;
  std::vector<size_t> widths = Widths();
  size_t whole = indent.size() + 2 * (widths.size() - 1);
  for (const size_t column : widths) whole += column;
  const auto room = static_cast<size_t>(std::max(0, width));
  if (width > 0 && whole > room) {
    const size_t over = whole - room;
    widths[0] = widths[0] > kLeast + over ? widths[0] - over : std::min(widths[0], kLeast);
  }
  std::string text;
  const auto add_line = [&](const auto& cell_at) {
    std::string line(indent);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string cell = i == 0 ? EndOf(cell_at(i), widths[i]) : cell_at(i);
      line += Padded(cell, widths[i], columns_[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line([&](size_t i) { return columns_[i].title; });
  for (const std::vector<std::string>& row : rows_) {
    add_line([&](size_t i) { return row[i]; });
  }
  return text;
}

std::string Table::Markdown() const {
  std::vector<std::string> titles, rules;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    rules.push_back(column.align == Align::kLeft ? "---" : "--:");
  }
  std::string text = MarkdownLine(titles) + MarkdownLine(rules);
  for (const std::vector<std::string>& row : rows_) text += MarkdownLine(row);
  return text;
}

}  // namespace tilewise
