// Text that people read: colours of a terminal, its width, tables, Markdown; and
// nothing in it from users' files that could become markup.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/printable.h"

namespace tilewise {

class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  std::string Bold(std::string_view text) const { return Paint("1", text); }
  std::string Good(std::string_view text) const { return Paint("1;32", text); }
  std::string Dim(std::string_view text) const { return Paint("2", text); }
  // The severity's name in its colour.
  std::string Name(Severity severity) const;

 private:
  std::string Paint(std::string_view code, std::string_view text) const;
  bool color_;
};

// Code points of UTF-8 text: wide and combining characters count as one.
size_t DisplayWidth(std::string_view text);

// Breaks at spaces so that no line is wider than `width` where words allow it.
// The first line starts with `first`, the others with `rest`; ends with a
// newline.
std::string Wrap(std::string_view text, int width, std::string_view first, std::string_view rest);

// Text from users' files must not become markup, nor leave its line.
std::string EscapeMarkdown(std::string_view text);

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kRight;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column; control characters are made visible.
  void AddRow(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  const std::vector<Column>& columns() const { return columns_; }

  // Every line starts with `indent`; columns are two spaces apart; no spaces at
  // line ends. Cells of the first column lose their start where a line would be
  // wider than `width`; 0: any width.
  std::string Text(std::string_view indent, int width = 0) const;
  std::string Markdown() const;

 private:
  std::vector<size_t> Widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tilewise
