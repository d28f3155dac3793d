// Two prints of the same rows: padded to the widest cell, and with pipes.

#include "report/table.h"

#include <algorithm>

#include "base/check.h"
#include "report/text_layout.h"

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

std::string Table::Text(std::string_view indent) const {
  const std::vector<size_t> widths = Widths();
  std::string text;
  const auto add_line = [&](const auto& cell_at) {
    std::string line(indent);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += "  ";
      line += Padded(cell_at(i), widths[i], columns_[i].align);
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
