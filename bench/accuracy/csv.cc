// Fields may stand in double quotes, which then may hold commas and doubled
// quotes, but no line breaks.

#include "bench/accuracy/csv.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

namespace tilewise {
namespace {

std::vector<std::string> SplitLine(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

absl::StatusOr<Csv> Csv::Read(const std::string& path) {
  std::ifstream file(path);
  Csv csv;
  std::string line;
  if (!file || !std::getline(file, line)) {
    return absl::NotFoundError(
        fmt::format("{}: found no table, expected a header line", path));
  }
  csv.columns_ = SplitLine(line);
  while (std::getline(file, line)) csv.rows_.push_back(SplitLine(line));
  return csv;
}

std::string Csv::Cell(size_t row, std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  const auto index = static_cast<size_t>(found - columns_.begin());
  const std::vector<std::string>& cells = rows_.at(row);
  return index < columns_.size() && index < cells.size() ? cells[index] : "";
}

double Csv::Number(size_t row, std::string_view column) const {
  return std::strtod(Cell(row, column).c_str(), nullptr);
}

}  // namespace tilewise
