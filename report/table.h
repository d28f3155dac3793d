// A table of short texts, printed with aligned columns or as Markdown.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

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
  // line ends.
  std::string Text(std::string_view indent) const;
  std::string Markdown() const;

 private:
  std::vector<size_t> Widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tilewise
