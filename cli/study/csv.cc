// Words that hold a comma, a quote or a line end stand in quotes.

#include "cli/study/csv.h"

#include <string_view>

#include <fmt/format.h>

namespace tilewise {
namespace {

std::string Quoted(std::string_view word) {
  if (word.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(word);
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string CsvCell(const ListingCell& cell) {
  if (const auto* count = std::get_if<int64_t>(&cell.number)) return fmt::format("{}", *count);
  if (const auto* number = std::get_if<double>(&cell.number)) return fmt::format("{}", *number);
  return Quoted(cell.text);
}

}  // namespace

std::string CsvText(std::span<const ListingSection> sections) {
  std::string text;
  for (const ListingSection& section : sections) {
    if (!text.empty()) text += "\n";
    std::string line;
    for (const std::string& column : section.columns) {
      line += (line.empty() ? "" : ",") + Quoted(column);
    }
    text += line + "\n";
    for (const ListingRow& row : section.rows) {
      for (size_t i = 0; i < row.cells.size(); ++i) {
        text += (i == 0 ? "" : ",") + CsvCell(row.cells[i]);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace tilewise
